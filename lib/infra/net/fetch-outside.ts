import type { IncomingMessage } from 'node:http';
import { openOutside } from './open-outside.ts';

const MOST_BYTES = 256 * 1024;
/** A Response with one of these refuses any body, be it empty. */
const BODILESS = new Set([204, 205, 304]);

export type OutsideOptions = {
  signal: AbortSignal;
  accept: string;
  /** Default: GET. */
  method?: 'POST';
  headers?: Record<string, string>;
  body?: string;
};

/** A request to an address that somebody else chose (open-outside.ts), of whose answer no more than 256 KiB are read. */
export async function fetchOutside(address: string, given: OutsideOptions): Promise<Response> {
  const { accept, headers, ...rest } = given;
  const response = await openOutside(address, { ...rest, headers: { ...headers, accept } });
  const status = response.statusCode ?? 502;
  const bytes = new Uint8Array(await readAll(response));
  return new Response(BODILESS.has(status) ? null : bytes, { status });
}

async function readAll(response: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > MOST_BYTES) throw new Error(`more than ${MOST_BYTES} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}
