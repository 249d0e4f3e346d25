import type { AuditAction } from '#lib/protocol/answers/audit-action.ts';

import { OWN } from './own-phrases.ts';
import { PHRASES } from './phrases.ts';

/** What somebody did to what is their own; undefined where that is said like anything else. */
export function toOwnPhrase(action: string): string | undefined {
  return OWN[action as AuditAction];
}

/** What an action did. Of a membership, what it says of role and status before and after (`toFacts`) makes it plain. */
export function toPhrase(action: string, before?: unknown, after?: unknown): string {
  if (action === 'membership.create' && isPerson(after)) return 'invited';
  if (action === 'membership.update') return toMembershipPhrase(asFacts(before), asFacts(after));
  return PHRASES[action] ?? `did ${action} to`;
}

type Facts = { admin?: boolean; active?: boolean };

function toMembershipPhrase(before: Facts, after: Facts): string {
  if (before.active !== after.active && after.active !== undefined) return after.active ? 'reactivated' : 'deactivated';
  if (before.admin !== after.admin && after.admin !== undefined) {
    return after.admin ? 'gave administration to' : 'took administration from';
  }
  return PHRASES['membership.update'] ?? '';
}

function isPerson(after: unknown): boolean {
  const user = typeof after === 'object' && after !== null && 'user' in after ? after.user : undefined;
  return typeof user === 'string' && user.startsWith('User/');
}

function asFacts(value: unknown): Facts {
  return typeof value === 'object' && value !== null ? value : {};
}

export const AREAS = ['any', 'people', 'sign-in', 'bots', 'clients', 'settings', 'records'] as const;
export type Area = (typeof AREAS)[number];

/** The `action` parameter of an area: prefixes, any of which fits. */
export const AREA_ACTIONS: Record<Exclude<Area, 'any'>, string> = {
  people: 'membership.*,invite.*,user.*,job.*',
  'sign-in': 'login.*,user.device.*,user.password.*,user.passkey.*,reset.*',
  bots: 'bot.*,hl7.*',
  clients: 'client.*',
  settings: 'project.*,access-policy.*',
  records: 'resource.*',
};
