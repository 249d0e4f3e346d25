import { randomBytes, randomUUID } from 'node:crypto';
import { SANDBOX_LIMITS } from '../host/limits.ts';
import { cryptography } from './cryptography.ts';
import { type Argument, Breach, bytes, text } from './untrusted.ts';

type Operation = (...args: Argument[]) => unknown;

const { urlCharacters, webBytes } = SANDBOX_LIMITS;
/** Of an encoding, or of a part of a URL. */
const NAME_CHARACTERS = 100;

/**
 * What the Web offers and V8 alone does not, answered by Node's own. Undefined for what Node refuses: the prelude throws, so that no
 * stack tells of our files.
 */
export const platform: Record<string, Operation> = {
  url: refusable((href, base) =>
    urlParts(new URL(text(href, urlCharacters), base === undefined ? undefined : text(base, urlCharacters))),
  ),
  'url-set': refusable((href, part, value) => {
    const url = new URL(text(href, urlCharacters));
    Reflect.set(url, text(part, NAME_CHARACTERS), text(value, urlCharacters));
    return urlParts(url);
  }),
  encode: (value) => new TextEncoder().encode(text(value, webBytes)),
  encoding: refusable((label) => new TextDecoder(text(label, NAME_CHARACTERS)).encoding),
  decode: refusable((value, label, fatal, keepBom) =>
    new TextDecoder(text(label, NAME_CHARACTERS), { fatal: fatal === true, ignoreBOM: keepBom === true }).decode(
      bytes(value),
    ),
  ),
  random: refusable((byteLength) => new Uint8Array(randomBytes(Math.min(Number(byteLength), 65_536)))),
  atob: refusable((value) => atob(text(value, webBytes))),
  btoa: refusable((value) => btoa(text(value, webBytes))),
  'to-base64': (value) => Buffer.from(bytes(value)).toString('base64'),
  'from-base64': (value) => new Uint8Array(Buffer.from(text(value, (webBytes / 3) * 4 + 4), 'base64')),
  uuid: () => randomUUID(),
  now: () => performance.now(),
  ...Object.fromEntries(Object.entries(cryptography).map(([name, operation]) => [name, refusable(operation)])),
};

function refusable(operation: Operation): Operation {
  return (...args) => {
    try {
      return operation(...args);
    } catch (error) {
      if (error instanceof Breach) throw error;
      return undefined;
    }
  };
}

function urlParts(url: URL): string {
  const { href, origin, protocol, username, password, host, hostname, port, pathname, search, hash } = url;
  return JSON.stringify({ href, origin, protocol, username, password, host, hostname, port, pathname, search, hash });
}
