import { AppError } from '#lib/base/errors.ts';

/** Bytes from the first to the last, both included. */
export type ByteRange = { first: number; last: number };

/**
 * The one range of bytes that is asked for (RFC 9110 §14.2); undefined for all of them: none is asked for, several are, or it is none that we
 * understand. With If-Range, too: our entity tags are weak, and prove no byte to be the same (§13.1.5). Throws 416 where there is nothing of it.
 */
export function readByteRange(request: Request, size: number): ByteRange | undefined {
  const header = request.headers.get('range');
  if (header === null || request.headers.has('if-range')) return undefined;
  const [, from = '', to = ''] = /^\s*bytes\s*=\s*(\d{0,15})\s*-\s*(\d{0,15})\s*$/i.exec(header.slice(0, 100)) ?? [];
  if (from === '' && to === '') return undefined;
  // `-5`: the last five.
  const first = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const last = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (from !== '' && to !== '' && Number(to) < first) return undefined;
  if (first <= last) return { first, last };
  throw new AppError('range-not-satisfiable', `There are ${size} bytes`, {
    headers: { 'content-range': `bytes */${size}` },
  });
}
