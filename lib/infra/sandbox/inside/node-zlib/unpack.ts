import { Gunzip, inflateSync as inflateRawAll, unzlibSync } from 'fflate';
import { adler32, crc32 } from './checksums.ts';

const PIECE = 64 * 1024;

/** As many zeros as a member may end with: its checksum and its length. */
const TRAILER = 8;

/** All members of a file (RFC 1952 §2.2), each held against its checksum and length; zeros behind them fill a block. Throws past so many bytes. */
export function gunzipAll(bytes: Uint8Array, most: number): Uint8Array {
  try {
    return gunzipMembers(bytes, most);
  } catch (error) {
    const end = bytes.findLastIndex((byte) => byte !== 0) + 1;
    if (error instanceof RangeError || end === bytes.length) throw error;
    for (let zeros = 0; zeros <= TRAILER && end + zeros < bytes.length; zeros++) {
      try {
        return gunzipMembers(bytes.subarray(0, end + zeros), most);
      } catch {
        // The next one is a zero of the member, too.
      }
    }
    throw error;
  }
}

function gunzipMembers(bytes: Uint8Array, most: number): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const parts: Uint8Array[] = [];
  let [total, crc, size] = [0, 0, 0];
  const endMember = (end: number) => {
    if (end < 8 || view.getUint32(end - 8, true) !== crc) throw new Error('incorrect data check');
    if (view.getUint32(end - 4, true) !== size % 2 ** 32) throw new Error('incorrect length check');
    [crc, size] = [0, 0];
  };
  const stream = new Gunzip((part) => {
    total += part.length;
    requireShort(total, most);
    crc = crc32(part, crc);
    size += part.length;
    parts.push(part);
  });
  stream.onmember = endMember;
  for (let from = 0; from < bytes.length; from += PIECE) stream.push(bytes.subarray(from, from + PIECE), false);
  stream.push(new Uint8Array(0), true);
  endMember(bytes.length);
  const whole = new Uint8Array(total);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** RFC 1950 §2.2, held against its checksum; what stands behind that is nobody's, as it is for Node. */
export function inflateAll(bytes: Uint8Array, most: number): Uint8Array {
  const whole = unzlibSync(bytes);
  const sum = adler32(whole);
  const [first, ...rest] = [24, 16, 8, 0].map((shift) => (sum >>> shift) & 0xff);
  const isThere = (at: number) => bytes[at] === first && rest.every((byte, index) => bytes[at + 1 + index] === byte);
  let at = bytes.length - 4;
  while (at > 1 && !isThere(at)) at -= 1;
  if (at <= 1) throw new Error('incorrect data check');
  requireShort(whole.length, most);
  return whole;
}

export function inflateRaw(bytes: Uint8Array, most: number): Uint8Array {
  const whole = inflateRawAll(bytes);
  requireShort(whole.length, most);
  return whole;
}

function requireShort(length: number, most: number): void {
  if (length <= most) return;
  const error = new RangeError(`Cannot create a Buffer larger than ${most} bytes`);
  throw Object.assign(error, { code: 'ERR_BUFFER_TOO_LARGE' });
}
