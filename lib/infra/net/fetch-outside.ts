import { type LookupAddress, type LookupOptions, lookup } from 'node:dns';
import { type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { env } from '#lib/base/env.ts';
import { isPublicAddress } from './public-address.ts';

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

/**
 * A request to an address that somebody else chose: over https, from the open internet only, whatever its name resolves to at the moment of
 * connecting, so that nobody reads our own networks through us. No redirect is followed, no more than 256 KiB are read. With
 * FETCH_PRIVATE_ADDRESSES over http and from anywhere.
 */
export async function fetchOutside(address: string, given: OutsideOptions): Promise<Response> {
  const { signal, accept, method = 'GET', headers, body } = given;
  const url = new URL(address);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const { FETCH_PRIVATE_ADDRESSES: anywhere } = env();
  if (url.protocol !== 'https:' && !(anywhere && url.protocol === 'http:'))
    throw new Error(`${url.protocol} is not https:`);
  if (isIP(host) !== 0) requirePublic(host);
  const options = { lookup: publicLookup, agent: false, signal, method, headers: { ...headers, accept } };
  const response = await send(url, options, body);
  const status = response.statusCode ?? 502;
  const bytes = new Uint8Array(await readAll(response));
  return new Response(BODILESS.has(status) ? null : bytes, { status });
}

function send(url: URL, options: RequestOptions, body: string | undefined): Promise<IncomingMessage> {
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    request(url, options, resolve).on('error', reject).end(body);
  });
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

type Found = (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void;

/** The connection goes to what was looked at here: a name that answers differently the next time gains nothing. */
function publicLookup(host: string, options: LookupOptions, found: Found): void {
  lookup(host, { ...options, all: true }, (error, addresses) => {
    if (error) return found(error, '');
    try {
      for (const { address } of addresses) requirePublic(address);
    } catch (refusal) {
      return found(refusal as Error, '');
    }
    if (options.all) return found(null, addresses);
    const [first] = addresses;
    found(null, first?.address ?? '', first?.family);
  });
}

function requirePublic(address: string): void {
  if (!env().FETCH_PRIVATE_ADDRESSES && !isPublicAddress(address)) throw new Error(`${address} is no public address`);
}
