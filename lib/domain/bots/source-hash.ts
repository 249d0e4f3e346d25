import { hash } from 'node:crypto';

/** No bot has more code than this. */
const MOST_BYTES = 5 * 1024 * 1024;

/** By which a draft is told from what runs without reading either. Of the base64 text, which a draft may be without being decodable. */
export function sourceHash(source: Buffer): string | undefined {
  return source.length > MOST_BYTES ? undefined : hash('sha256', source.toString('base64'));
}

/** The same in SQL, of base64 with line breaks: for what was stored before hashes were. */
export function sqlSourceHash(base64: string): string {
  return `encode(sha256(convert_to(translate(${base64}, E' \\n\\r\\t', ''), 'UTF8')), 'hex')`;
}
