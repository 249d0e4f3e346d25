import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { BulkImportFileRow } from '#lib/infra/db/schema/fhir/bulk-import.ts';
import { OutsideRefused, openOutside } from '#lib/infra/net/open-outside.ts';
import { readAhead } from '#lib/infra/net/read-ahead.ts';
import { addressOf } from './import-rows.ts';
import { SourceFault, toSourceFault } from './source-fault.ts';
import type { Place } from './split-lines.ts';

/** Without a byte. */
const IDLE_MS = 60_000;

/** `from`: where its bytes begin, which is where it was left or the beginning. `etag` and `packed`: as its server says. */
export type Source = { chunks: AsyncIterable<Uint8Array>; from: Place; etag: string | null; packed: boolean };

const BEGINNING: Place = { line: 0, place: 0, hash: '' };

/**
 * The bytes of a file from where it was left, as far as its server can begin there and says that it is the same file (Range with If-Range, RFC 9110
 * §13.1.5); else from its beginning. Throws a SourceFault.
 */
export async function openSource(file: BulkImportFileRow, signal: AbortSignal): Promise<Source> {
  const { line, place, hash, etag, packed } = file;
  const isContinued = place > 0 && !packed && etag !== null && !etag.startsWith('W/');
  const response = await openOutside(addressOf(file), {
    signal,
    idleMs: IDLE_MS,
    headers: {
      accept: 'application/fhir+ndjson, application/ndjson;q=0.9, */*;q=0.1',
      'accept-encoding': 'identity, gzip;q=0.5',
      ...(isContinued && { range: `bytes=${place}-`, 'if-range': etag }),
    },
  }).catch((error: unknown) => {
    if (error instanceof OutsideRefused) throw new SourceFault(`The file is not fetched: ${error.message}`, false);
    throw toSourceFault(error);
  });
  try {
    return read(response, file, isContinued ? { line, place, hash } : undefined);
  } catch (error) {
    response.destroy();
    throw error;
  }
}

function read(response: IncomingMessage, file: BulkImportFileRow, left: Place | undefined): Source {
  const { statusCode: status = 502, headers } = response;
  const range = headers['content-range'];
  if (left && status === 206) {
    const [, to, all] = new RegExp(String.raw`^bytes ${left.place}-(\d+)/(\d+|\*)$`).exec(range ?? '') ?? [];
    if (to === undefined || isPacked(headers['content-encoding']))
      throw new SourceFault('Its server sent another part of it', false);
    const isRest = all === '*' || Number(to) + 1 >= Number(all);
    const chunks = isRest ? readAhead(response) : partOf(response);
    return { chunks, from: left, etag: file.etag, packed: false };
  }
  if (left && status === 416 && range === `bytes */${left.place}`) {
    response.destroy();
    return { chunks: nothing(), from: left, etag: file.etag, packed: false };
  }
  if (status !== 200) throw refused(status);
  const etag = headers.etag ?? null;
  const { wantedEtag, line } = file;
  if (wantedEtag !== null && nameOf(etag) !== wantedEtag)
    throw new SourceFault('The file is not that of the etag', false);
  if (line > 0 && etag !== file.etag) throw changed();
  const packed = isPacked(headers['content-encoding'], headers['content-type']);
  return { chunks: packed ? unpacked(response) : readAhead(response), from: BEGINNING, etag, packed };
}

/** It is another file than the one that was begun. */
export function changed(): SourceFault {
  return new SourceFault(
    'The file has changed while it was read: what was stored stays, and the rest is not read',
    false,
  );
}

function refused(status: number): SourceFault {
  const isPassing = status >= 500 || status === 408 || status === 429;
  const text = status >= 300 && status < 400 ? 'redirects are not followed' : 'it is not there for us';
  return new SourceFault(`Its server answered ${status}${isPassing ? '' : `: ${text}`}`, isPassing);
}

function nameOf(etag: string | null): string {
  return (etag ?? '').replace(/^W\//, '').replaceAll('"', '');
}

function isPacked(encoding = '', type = ''): boolean {
  const name = encoding.trim().toLowerCase();
  if (name === 'gzip' || name === 'x-gzip') return true;
  if (name !== '' && name !== 'identity') throw new SourceFault('Only gzip is unpacked', false);
  return /^application\/(?:x-)?gzip\b/.test(type);
}

async function* unpacked(response: IncomingMessage): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip();
  // Its failure is told to whoever reads.
  pipeline(readAhead(response), gunzip, () => undefined);
  try {
    yield* gunzip;
  } finally {
    gunzip.destroy();
  }
}

/** A server may send less than it was asked for (RFC 9110 §15.3.7): the rest is to be asked for, and a line that ends in it is not whole. */
async function* partOf(response: IncomingMessage): AsyncGenerator<Uint8Array> {
  yield* readAhead(response);
  throw new SourceFault('Its server sent a part of what was asked for', true);
}

async function* nothing(): AsyncGenerator<Uint8Array> {}
