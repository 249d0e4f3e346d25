import { createHash } from 'node:crypto';
import { env } from '#lib/base/env.ts';
import { log } from '#lib/base/log.ts';

const TIMEOUT_MS = 2000;

/**
 * Whether the password stands in a list of leaked ones, asked by k-anonymity: only the first five characters of its SHA-1 leave
 * (the range API of Have I Been Pwned). Not configured or not answering: false, since nobody should be kept from registering by it.
 */
export async function isBreached(password: string): Promise<boolean> {
  const { BREACH_CHECK_URL } = env();
  if (!BREACH_CHECK_URL) return false;
  const digest = createHash('sha1').update(password).digest('hex').toUpperCase();
  try {
    const response = await fetch(`${BREACH_CHECK_URL}/range/${digest.slice(0, 5)}`, {
      headers: { 'add-padding': 'true' },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!response.ok) throw new Error(`status ${response.status}`);
    const line = (await response.text()).split(/\r?\n/).find((text) => text.startsWith(`${digest.slice(5)}:`));
    return line !== undefined && !line.endsWith(':0');
  } catch (error) {
    log.warn({ err: error }, 'the breach list did not answer');
    return false;
  }
}
