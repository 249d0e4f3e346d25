import { makeNamedToken, readNamedToken, type TokenName } from '#lib/infra/crypto/named-token.ts';

/** By which those who look for secrets in what was published find it. */
const PREFIX = 'gh_';

export function makeKey(projectId: string): TokenName & { token: string } {
  return makeNamedToken(PREFIX, projectId);
}

/** Also of one that is broken: no other credential begins so. */
export function isKey(token: string): boolean {
  return token.startsWith(PREFIX);
}

export function readKey(token: string): TokenName | undefined {
  return readNamedToken(PREFIX, token);
}
