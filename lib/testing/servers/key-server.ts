import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import { newId } from '#lib/base/ids.ts';

export type KeyServer = {
  jwksUri: string;
  /** What stands there just now. */
  keys: JWK[];
  /** How often it was asked. */
  asked: number;
  /** What it answers instead of 200. */
  status: number;
  stop(): Promise<void>;
};

/** A stand-in for the address at which a program publishes its keys. */
export async function startKeyServer(): Promise<KeyServer> {
  const server = createServer((_request, response) => {
    kept.asked += 1;
    response.writeHead(kept.status, { 'content-type': 'application/json', location: 'http://127.0.0.1:9/' });
    response.end(JSON.stringify({ keys: kept.keys }));
  });
  const kept: KeyServer = {
    jwksUri: '',
    keys: [],
    asked: 0,
    status: 200,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  kept.jwksUri = `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks`;
  return kept;
}

export type KeyPair = { kid: string; alg: string; privateKey: CryptoKey; publicJwk: JWK };

export async function makeKeyPair(alg: string): Promise<KeyPair> {
  const kid = newId();
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { kid, alg, privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } };
}

/** As RFC 7523 §3 wants it, but for what `claims` and `header` say otherwise; undefined leaves a claim out. */
export function signAssertion(
  pair: KeyPair,
  clientId: string,
  claims: Record<string, unknown> = {},
  header: Record<string, unknown> = {},
): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  const aud = 'http://localhost:3999/oauth2/token';
  const standard = { iss: clientId, sub: clientId, aud, iat: now, exp: now + 300, jti: newId() };
  const all = Object.entries({ ...standard, ...claims }).filter(([, value]) => value !== undefined);
  return new SignJWT(Object.fromEntries(all))
    .setProtectedHeader({ alg: pair.alg, kid: pair.kid, ...header })
    .sign(pair.privateKey);
}
