import { host } from '../host.ts';
import { parse, stringify } from '../primordials.ts';
import type { Wanted } from './algorithms.ts';
import { CryptoKey, type JsonWebKey, type KeyFacts } from './crypto-key.ts';
import { refuse } from './key-formats.ts';

const OF_PUBLIC: readonly string[] = ['verify', 'encrypt', 'wrapKey'];

export function newPair({ name, namedCurve }: Wanted, extractable: boolean, usages: string[]) {
  if (name.startsWith('RSA')) refuse('RSA keys are not made in a bot: bring one', 'NotSupportedError');
  const made = host('new-key', namedCurve ?? name) ?? refuse('This curve is not there', 'NotSupportedError');
  const privateJwk = parse(made) as JsonWebKey;
  const publicJwk = parse(host('public-key', stringify({ jwk: privateJwk, isPrivate: true }))!) as JsonWebKey;
  const algorithm = { name, ...(namedCurve && { namedCurve }) };
  const one = (type: KeyFacts['type'], jwk: JsonWebKey, mayLeave: boolean, isUsed: (usage: string) => boolean) =>
    new CryptoKey({ jwk }, { type, extractable: mayLeave, algorithm, usages: usages.filter(isUsed) });
  return {
    privateKey: one('private', privateJwk, extractable, (usage) => !OF_PUBLIC.includes(usage)),
    publicKey: one('public', publicJwk, true, (usage) => OF_PUBLIC.includes(usage)),
  };
}
