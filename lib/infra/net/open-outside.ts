import type { LookupAddress, LookupOptions } from 'node:dns';
import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { env } from '#lib/base/env.ts';
import { refuseInRehearsal } from '../db/rehearsing.ts';
import { isOwnAddress } from './is-own-address.ts';
import { lookUp } from './look-up.ts';
import { isPublicAddress } from './public-address.ts';

export type OpenOptions = {
  signal: AbortSignal;
  /** Default: GET. */
  method?: string;
  /** Pairs may repeat a name. */
  headers: Record<string, string> | [string, string][];
  body?: string | Uint8Array;
  /** Milliseconds without a byte, after which it fails. Default: none but those of `signal`. */
  idleMs?: number;
  /** Milliseconds until the connection must stand, with its TLS. Default: none but those of `signal`. */
  connectMs?: number;
};

/** Of an answer's headers, which Node reads before anybody can look at them. */
const MOST_HEADER_BYTES = 32 * 1024;

/**
 * A request to an address that somebody else chose: over https, from the open internet only, whatever its name resolves to at the moment of
 * connecting, so that nobody reads our own networks, or what listens on this machine, through us. No redirect is followed. With FETCH_PRIVATE_ADDRESSES over http and from
 * anywhere. Resolves to the answer, whose body comes as it is read; throws an OutsideRefused for an address that is not asked.
 */
export async function openOutside(address: string, given: OpenOptions): Promise<IncomingMessage> {
  const { signal, method = 'GET', headers, body, idleMs, connectMs } = given;
  refuseInRehearsal('ask other servers');
  const url = requireOutside(address);
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  const options = {
    ...{ lookup: publicLookup, agent: false as const, maxHeaderSize: MOST_HEADER_BYTES },
    ...{ signal, method, headers: { ...byName(headers), ...lengthOf(body) }, timeout: idleMs },
  };
  return new Promise((resolve, reject) => {
    const sent = request(url, options, resolve).on('error', reject);
    if (connectMs !== undefined) limitConnecting(sent, url, connectMs);
    sent.on('timeout', () => sent.destroy(new Error(`nothing came for ${idleMs} ms`)));
    // 101: the connection of who does not listen is closed, and no error is told.
    sent.on('close', () => reject(new Error('The connection was closed without an answer')));
    sent.end(body);
  });
}

/** Of some methods Node says none, and what follows would be read as another request. */
function lengthOf(body: OpenOptions['body']): Record<string, string> {
  return body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
}

function byName(headers: OpenOptions['headers']): Record<string, string | string[]> {
  if (!Array.isArray(headers)) return headers;
  const named: Record<string, string | string[]> = Object.create(null);
  for (const [name, value] of headers) {
    const before = named[name];
    named[name] = before === undefined ? value : [before, value].flat();
  }
  return named;
}

function limitConnecting(sent: ClientRequest, url: URL, limitMs: number): void {
  const late = () => sent.destroy(Object.assign(new Error('No connection in time'), { code: 'ETIMEDOUT' }));
  const clock = setTimeout(late, limitMs);
  sent.once('close', () => clearTimeout(clock));
  sent.once('socket', (socket) => {
    socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => clearTimeout(clock));
  });
}

/** RFC 6761 §6.3. */
const LOOPBACK = /(?:^|\.)localhost\.?$/i;

/** It is one of those that are never asked, however often it is tried. */
export class OutsideRefused extends Error {}

/** The address, as far as it tells by itself that it may be asked. Throws OutsideRefused. */
export function requireOutside(address: string): URL {
  const url = new URL(address);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (url.protocol !== 'https:' && !(env().FETCH_PRIVATE_ADDRESSES && url.protocol === 'http:'))
    throw new OutsideRefused(`${url.protocol} is not https:`);
  if (isIP(host) !== 0) requirePublic(host);
  if (LOOPBACK.test(host)) requirePublic('127.0.0.1');
  return url;
}

type Found = (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void;

/** The connection goes to what was looked at here: a name that answers differently the next time gains nothing. */
async function publicLookup(host: string, options: LookupOptions, found: Found): Promise<void> {
  try {
    const addresses = await lookUp(host);
    for (const { address } of addresses) requirePublic(address);
    const [first] = addresses;
    if (options.all) found(null, addresses);
    else found(null, first?.address ?? '', first?.family);
  } catch (error) {
    found(error as Error, '');
  }
}

function requirePublic(address: string): void {
  if (env().FETCH_PRIVATE_ADDRESSES) return;
  if (!isPublicAddress(address)) throw new OutsideRefused(`${address} is no public address`);
  if (isOwnAddress(address)) throw new OutsideRefused(`${address} is an address of this machine`);
}
