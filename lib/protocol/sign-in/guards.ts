import { isDeepStrictEqual } from 'node:util';
import { RECOVERY_WAIT } from '../account-changes/wait.ts';
import { GLASS_SETTINGS } from '../break-glass/settings.ts';
import { APP_REGISTRATION } from '../clients/registration.ts';
import { ALLOWED_METHODS, REQUIREMENT } from '../factors/settings.ts';
import type { ProjectSetting } from '../fhir/types.ts';
import { REQUIRE_POLICY } from '../policies/policy-required.ts';
import { RECORD_ERASURE } from '../record-erasure/requests.ts';
import { PATIENT_REGISTRATION } from '../registration.ts';
import { VIEW_NOTICE } from '../view-as/view-as.ts';
import { ACCESS_LIFETIME, ALLOWED_ADDRESSES, IDLE_LIMIT, REFRESH_LIFETIME, SESSION_LIFETIME } from './bounds.ts';
import { changesWays } from './ways.ts';

/** Settings by which a project lets people in, for how long, what is kept of what they looked at, whether records may be erased, emergency access, and whether every member needs a policy. */
const GUARDS: ReadonlySet<string> = new Set([
  ALLOWED_METHODS,
  REQUIREMENT,
  ACCESS_LIFETIME,
  REFRESH_LIFETIME,
  IDLE_LIMIT,
  SESSION_LIFETIME,
  ALLOWED_ADDRESSES,
  PATIENT_REGISTRATION,
  RECOVERY_WAIT,
  APP_REGISTRATION,
  RECORD_ERASURE,
  ...GLASS_SETTINGS,
  'apiKeys',
  'auditReads',
  VIEW_NOTICE,
  REQUIRE_POLICY,
]);

/** Whether new settings guard the project otherwise than those before. */
export function changesGuards(before: readonly ProjectSetting[], after: readonly ProjectSetting[]): boolean {
  return changesWays(before, after) || !isDeepStrictEqual(guardsIn(before), guardsIn(after));
}

function guardsIn(settings: readonly ProjectSetting[]): [string, ProjectSetting][] {
  return settings
    .filter(({ name }) => GUARDS.has(name))
    .map((item): [string, ProjectSetting] => [item.name, item])
    .sort(([a], [b]) => (a < b ? -1 : 1));
}
