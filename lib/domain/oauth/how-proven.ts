import type { LoginRow } from '#lib/infra/db/schema/login.ts';

/** What we call it in `acr`: with a password alone; with two factors, of which one may be a passkey that asks who is there. */
export const ACR = { one: 'urn:gatehouse:acr:one-factor', two: 'urn:gatehouse:acr:two-factors' } as const;

/**
 * What an ID token says of how the person showed who they are (OpenID Connect Core §2; names of RFC 8176). Whatever was asked for by
 * `acr_values`, it is what they did. Of whom a provider has named we
 * say that there were two factors, where it has told of a second or we have asked for it; else nothing.
 */
export function howProven({ authMethod, factorAt }: Pick<LoginRow, 'authMethod' | 'factorAt'>): {
  acr?: string;
  amr?: string[];
} {
  if (authMethod === 'passkey') return { acr: ACR.two, amr: ['pop', 'user', 'mfa'] };
  if (authMethod === 'external' && factorAt) return { acr: ACR.two, amr: ['mfa'] };
  if (authMethod !== 'password') return {};
  return factorAt ? { acr: ACR.two, amr: ['pwd', 'otp', 'mfa'] } : { acr: ACR.one, amr: ['pwd'] };
}
