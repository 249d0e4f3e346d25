import { isResourceScope, splitScopes } from '#lib/protocol/smart-scopes.ts';
import { rulesOfScope, type ScopeContext } from '../access/scope-rules.ts';

/** Scopes that change something here, beside those for resources. */
export const SCOPES = [
  'openid',
  'profile',
  'email',
  'phone',
  'address',
  'fhirUser',
  'launch',
  'launch/patient',
  'offline',
  'offline_access',
];

/**
 * Of the scopes that were asked for, those that are in force: a token's answer names nothing that it does not give (RFC 6749 §5.1). What
 * asks for resources and cannot be given is not named either, and still limits the token (scope-rules.ts).
 */
export function scopesInForce(asked: string, context: ScopeContext): string {
  return (
    splitScopes(asked)
      .filter((scope) => {
        if (isResourceScope(scope)) return rulesOfScope(scope, context).length > 0;
        if (scope === 'launch') return context.isLaunched === true;
        return SCOPES.includes(scope) && (scope !== 'launch/patient' || context.patient !== undefined);
      })
      .join(' ') || 'openid'
  );
}
