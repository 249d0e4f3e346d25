import { env } from '#lib/base/env.ts';
import { takeTurns } from '#lib/base/turns.ts';
import type { BulkImportFileRow } from '#lib/infra/db/schema/fhir/bulk-import.ts';
import { changed, type Source } from './open-source.ts';
import { SourceFault, toSourceFault } from './source-fault.ts';
import { type Line, type Place, splitLines } from './split-lines.ts';

const MIB = 1024 * 1024;
/** Of a file, unpacked: who is sent more is sent something else. */
const MOST_BYTES = 50 * 1024 * MIB;
const MOST_LINES = 50_000_000;
/** Lines that are stored together: one statement takes so many, and what they hold is in memory. */
const MOST_TOGETHER = { lines: 500, bytes: 2 * MIB, read: 50_000 };

/** `after` lies behind its last line, and behind empty ones that follow. */
export type Batch = { lines: Line[]; after: Place };

/** Bytes of a line: what a body may have. */
export function mostOfLine(): number {
  return env().MAX_BODY_MIB * MIB;
}

/**
 * The lines of a file behind what is done with, some at a time; where it breaks off, first those that came. Throws a SourceFault, also where what was done with
 * is not what it has there.
 */
export async function* readBatches(
  { chunks, from }: Source,
  file: BulkImportFileRow,
  together: number = MOST_TOGETHER.lines,
): AsyncGenerator<Batch> {
  let batch: Batch | undefined;
  let bytes = 0;
  let read = 0;
  let last = from.line;
  const lines = splitLines(chunks, from, mostOfLine());
  // A MiB that was read ahead may be a million lines.
  const turn = takeTurns();
  try {
    for (;;) {
      const { done, value: line } = await lines.next().catch((error: unknown) => {
        throw toSourceFault(error);
      });
      if (done && last < file.line) throw changed();
      if (done) break;
      last = line.after.line;
      const others = turn();
      if (others) await others;
      if (isDoneWith(line, file)) continue;
      const { after } = line;
      if (after.place > MOST_BYTES || after.line > MOST_LINES) throw new SourceFault('The file is too large', false);
      batch ??= { lines: [], after };
      batch.after = after;
      if (!isEmpty(line)) batch.lines.push(line);
      bytes += line.bytes?.length ?? 0;
      read += 1;
      if (batch.lines.length < together && bytes < MOST_TOGETHER.bytes && read < MOST_TOGETHER.read) continue;
      const full = batch;
      [batch, bytes, read] = [undefined, 0, 0];
      yield full;
    }
  } catch (error) {
    if (batch && error instanceof SourceFault && error.isPassing) yield batch;
    throw error;
  } finally {
    await lines.return(undefined);
  }
  if (batch) yield batch;
}

function isDoneWith({ after }: Line, { line, hash }: BulkImportFileRow): boolean {
  if (after.line > line) return false;
  if (after.line === line && after.hash !== hash) throw changed();
  return true;
}

function isEmpty({ bytes }: Line): boolean {
  return bytes !== undefined && (bytes.length === 0 || bytes.every((byte) => byte === 32 || byte === 9));
}
