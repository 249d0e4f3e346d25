import { createHash } from 'node:crypto';
import { env } from '#lib/base/env.ts';
import { AppError } from '#lib/base/errors.ts';

const LINE_END = 10;
const MIB = 1024 * 1024;
const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** `sha256`: of all bytes before it, in hex. */
export type NumberedLine = { number: number; text: string; sha256: () => string };

/** What a resource may have, and what JSON makes of a bot's code and its source map. */
function mostBytes(): number {
  return (env().MAX_BODY_MIB * 3 + 8) * MIB;
}

/**
 * The lines of a file as its bytes come, one in memory. Throws 400 for one that is too long, no UTF-8 or not ended. Node's own reader of lines takes
 * further characters for an end, which stand in texts.
 */
export async function* numberedLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<NumberedLine> {
  const most = mostBytes();
  const hash = createHash('sha256');
  let begun: Uint8Array[] = [];
  let size = 0;
  let number = 1;
  const take = (piece: Uint8Array) => {
    size += piece.length;
    if (size > most) throw new AppError('structure', `Line ${number} is longer than ${most / MIB} MiB`);
    begun.push(piece);
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (let at = chunk.indexOf(LINE_END); at >= 0; at = chunk.indexOf(LINE_END, from)) {
      take(chunk.subarray(from, at + 1));
      const bytes = Buffer.concat(begun);
      yield { number, text: decode(bytes.subarray(0, -1), number), sha256: () => hash.copy().digest('hex') };
      hash.update(bytes);
      [begun, size] = [[], 0];
      number += 1;
      from = at + 1;
    }
    if (from < chunk.length) take(chunk.subarray(from));
  }
  if (size > 0) throw new AppError('structure', `The file was cut: line ${number} has no end`);
}

function decode(bytes: Buffer, number: number): string {
  try {
    return UTF8.decode(bytes);
  } catch (cause) {
    throw new AppError('structure', `Line ${number} is not UTF-8`, { cause });
  }
}
