import { ownResolver } from './own-resolver.ts';

/** A name with more is no name of ours, and a text is as long as the one that we gave. */
const MOST_TEXTS = 100;

/** DNS has no such name, or no text there: an answer, as good as any. */
const NOTHING = new Set(['ENOTFOUND', 'ENODATA']);

/**
 * The TXT records of a name, each in one piece (RFC 1035 §3.3.14). Undefined when DNS did not answer: then nothing is known. Asks
 * DNS_SERVERS, or those of this machine.
 */
export async function findTexts(name: string): Promise<string[] | undefined> {
  try {
    const records = await ownResolver().resolveTxt(name);
    return records.slice(0, MOST_TEXTS).map((parts) => parts.join(''));
  } catch (error) {
    return NOTHING.has((error as NodeJS.ErrnoException).code ?? '') ? [] : undefined;
  }
}
