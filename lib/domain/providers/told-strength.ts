import type { IdentityProvider } from '#lib/protocol/fhir/client-types.ts';

/** How somebody showed at a provider who they are, as it says in what it signs (OpenID Connect Core §2; values of `amr` in RFC 8176). */
export type ToldStrength = {
  acr?: string;
  amr: string[];
  /** When, in seconds since 1970. */
  authTime?: number;
};

/** What of RFC 8176 §2 is more than a password or a PIN; a code by telephone (`sms`, `tel`) is not, but where a provider is said to mean it. */
const SECOND_FACTORS: readonly string[] = ['mfa', 'otp', 'hwk', 'swk', 'sc', 'fpt', 'face', 'iris', 'retina', 'vbm'];

const MOST_METHODS = 50;
const MOST_TEXT = 255;

/** Anything may stand in what a provider says: what is no such claim is none. */
export function readStrength({ acr, amr, auth_time: authTime }: Record<string, unknown>): ToldStrength {
  const methods = Array.isArray(amr) ? amr.slice(0, MOST_METHODS).filter(isShort) : [];
  return {
    amr: methods,
    ...(isShort(acr) && { acr }),
    ...(typeof authTime === 'number' && Number.isFinite(authTime) && { authTime }),
  };
}

/** Whether that is two factors to us: by a word that the provider's settings count as such, or without any of theirs by those of RFC 8176. */
export function isTwoFactors({ mfaAcr = [], mfaAmr }: IdentityProvider, told: ToldStrength | undefined): boolean {
  if (told === undefined) return false;
  const counts = mfaAmr ?? (mfaAcr.length > 0 ? [] : SECOND_FACTORS);
  return (told.acr !== undefined && mfaAcr.includes(told.acr)) || told.amr.some((method) => counts.includes(method));
}

/** Whether it is as young as the provider's settings want it. Where they do, one that does not say when is not (OpenID Connect Core §3.1.3.7, 13). */
export function isYoungEnough(
  { maxAge }: IdentityProvider,
  told: ToldStrength | undefined,
  leewaySeconds: number,
  now = Date.now(),
): boolean {
  if (maxAge === undefined) return true;
  if (told?.authTime === undefined) return false;
  const age = now / 1000 - told.authTime;
  return age >= -leewaySeconds && age <= maxAge + leewaySeconds;
}

function isShort(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MOST_TEXT;
}
