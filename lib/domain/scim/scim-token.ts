import { makeNamedToken, readNamedToken, type TokenName } from '#lib/infra/crypto/named-token.ts';

const PREFIX = 'gscim_';

export function makeToken(projectId: string): TokenName & { token: string } {
  return makeNamedToken(PREFIX, projectId);
}

export function isScimToken(token: string): boolean {
  return token.startsWith(PREFIX);
}

/** Undefined for what is no token at all. */
export function readToken(token: string): TokenName | undefined {
  return readNamedToken(PREFIX, token);
}
