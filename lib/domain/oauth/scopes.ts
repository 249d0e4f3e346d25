/** Scopes that change something here. What a token may reach is the policy's alone. */
export const SCOPES = [
  'openid',
  'profile',
  'email',
  'phone',
  'address',
  'fhirUser',
  'offline',
  'offline_access',
] as const;

/** Of the scopes that were asked for, those that are in force: a token's answer names no limit that does not limit (RFC 6749 §5.1). */
export function scopesInForce(asked: string): string {
  const known: readonly string[] = SCOPES;
  return (
    asked
      .split(' ')
      .filter((scope) => known.includes(scope))
      .join(' ') || 'openid'
  );
}
