import { createHash, hash } from 'node:crypto';

/** No bot has more code than this. */
export const MOST_SOURCE_BYTES = 5 * 1024 * 1024;

/** By which a draft is told from what runs without reading either. Of the base64 text, which a draft may be without being decodable. */
export function sourceHash(source: Buffer): string | undefined {
  return source.length > MOST_SOURCE_BYTES ? undefined : hash('sha256', source.toString('base64'));
}

/** The same in SQL, of base64 with line breaks: for what was stored before hashes were. */
export function sqlSourceHash(base64: string): string {
  return `encode(sha256(convert_to(translate(${base64}, E' \\n\\r\\t', ''), 'UTF8')), 'hex')`;
}

/** The same of what comes piece by piece. */
export function createSourceHash(): { update(piece: Uint8Array): void; digest(): string | undefined } {
  const text = createHash('sha256');
  let [size, rest] = [0, Buffer.alloc(0)];
  return {
    update(piece) {
      size += piece.length;
      if (size > MOST_SOURCE_BYTES) return;
      const all = Buffer.concat([rest, piece]);
      const whole = all.length - (all.length % 3);
      text.update(all.toString('base64', 0, whole));
      rest = Buffer.from(all.subarray(whole));
    },
    digest: () => (size > MOST_SOURCE_BYTES ? undefined : text.update(rest.toString('base64')).digest('hex')),
  };
}
