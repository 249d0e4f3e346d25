import { type Input, toBytes } from '../node-crypto/encodings.ts';

const CRCS = Int32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});

/** As RFC 1952 §8, of texts as UTF-8; `before`: of what came before. */
export function crc32(input: Input, before = 0): number {
  let crc = ~before;
  for (const byte of toBytes(input)) crc = (CRCS[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8);
  return ~crc >>> 0;
}

const ADLER_BASE = 65_521;
/** So many bytes before a sum may be too large for a number of 32 bits. */
const ADLER_BYTES = 5552;

/** As RFC 1950 §8. */
export function adler32(bytes: Uint8Array): number {
  let [low, high] = [1, 0];
  for (let from = 0; from < bytes.length; from += ADLER_BYTES) {
    for (const byte of bytes.subarray(from, from + ADLER_BYTES)) {
      low += byte;
      high += low;
    }
    low %= ADLER_BASE;
    high %= ADLER_BASE;
  }
  return ((high << 16) | low) >>> 0;
}
