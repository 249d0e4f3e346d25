import type { AuditEvent, AuditEventAgent, AuditEventEntity } from 'fhir/r4';
import { parseReference } from '../fhir/references.ts';
import { isResourceType } from '../fhir/type-ids.ts';
import { grantIn, purposeOf } from './break-glass.ts';
import { codesOf, isSignIn } from './event-codes.ts';

/** A row of the audit log. */
export type AuditFacts = {
  id: string;
  at: string | Date;
  action: string;
  actor: string | null;
  actor_membership: string | null;
  target: string;
  outcome: number;
  on_behalf_of: string | null;
  before: unknown;
  after: unknown;
  request_id: string;
  remote_address: string | null;
};

export const ENTITY_TYPE = 'http://hl7.org/fhir/resource-types';
const SOURCE_TYPE = { system: 'http://terminology.hl7.org/CodeSystem/security-source-type', code: '4' };
export const ROLE = 'http://terminology.hl7.org/CodeSystem/object-role';
/** What a run of a bot is called in the log. */
export const RUN = 'bot.execute';
/** Who does what nobody asked for. */
export const OURSELVES = 'Gatehouse';
const OUTCOMES = ['0', '4', '8', '12'] as const;
/** R4 network-type: an address, by which machines are known here. */
const BY_ADDRESS = '2';

/**
 * A row as R4's AuditEvent (https://hl7.org/fhir/R4/auditevent.html), without `resourceType`, `id` and `meta`: who did what to what, by
 * reference. What a change changed it to does not stand here, only the versions: values may be somebody's health or address.
 */
export function toAuditEvent(row: AuditFacts, site: string): Omit<AuditEvent, 'resourceType' | 'id' | 'meta'> {
  const { action, type, subtype } = codesOf(row.action);
  return {
    type,
    subtype,
    action,
    ...periodOf(row),
    recorded: new Date(row.at).toISOString(),
    outcome: OUTCOMES[Math.min(3, Math.ceil(row.outcome / 4))],
    ...(purposeOf(row.after) && { purposeOfEvent: purposeOf(row.after) }),
    agent: agentsOf(row),
    source: { site, observer: observerOf(row), type: [SOURCE_TYPE] },
    entity: [entityOf(row), ...inputOf(row), ...subscriptionOf(row)],
  };
}

/** A run of a bot is told by the bot itself, with when it was and which resource it was given (contract §5.7). */
function observerOf({ action, target }: AuditFacts) {
  return action === RUN ? { reference: target } : { display: 'Gatehouse' };
}

function periodOf({ action, after }: AuditFacts): Pick<AuditEvent, 'period'> {
  const { startedAt, ms } = (after ?? {}) as { startedAt?: unknown; ms?: unknown };
  // Rows of releases before say only how long it took.
  if (action !== RUN || typeof startedAt !== 'string' || typeof ms !== 'number') return {};
  return { period: { start: startedAt, end: new Date(Date.parse(startedAt) + ms).toISOString() } };
}

function inputOf({ action, after }: AuditFacts): AuditEventEntity[] {
  const { input } = (after ?? {}) as { input?: unknown };
  if (action !== RUN || typeof input !== 'string') return [];
  const [code = ''] = input.split('/');
  const role = { system: ROLE, code: code === 'Patient' ? '1' : '4' };
  return [{ what: { reference: input }, type: { system: ENTITY_TYPE, code }, role }];
}

/** Of a run that a Subscription made (R4 object-role 9: subscriber). */
function subscriptionOf({ action, after }: AuditFacts): AuditEventEntity[] {
  const { subscription } = (after ?? {}) as { subscription?: unknown };
  if (action !== RUN || typeof subscription !== 'string') return [];
  const reference = `Subscription/${subscription}`;
  return [
    { what: { reference }, type: { system: ENTITY_TYPE, code: 'Subscription' }, role: { system: ROLE, code: '9' } },
  ];
}

function agentsOf(row: AuditFacts): AuditEventAgent[] {
  const who = row.actor ?? (isSignIn(codesOf(row.action).type) ? known(row.target) : undefined);
  const network = row.remote_address ? { network: { address: row.remote_address, type: BY_ADDRESS as '2' } } : {};
  const membership = row.actor_membership ? { altId: `ProjectMembership/${row.actor_membership}` } : {};
  const purpose = purposeOf(row.after) && { purposeOfUse: purposeOf(row.after) };
  const first: AuditEventAgent =
    who || row.remote_address
      ? { ...(who && { who: { reference: who } }), ...membership, requestor: true, ...network, ...purpose }
      : { name: OURSELVES, requestor: false };
  return row.on_behalf_of ? [first, { who: { reference: row.on_behalf_of }, requestor: false }] : [first];
}

function entityOf(row: AuditFacts): AuditEventEntity {
  const [type = ''] = row.target.split('/');
  const reference = known(row.target);
  const details = [
    ['request', row.request_id],
    ['version before', versionOf(row.before)],
    ['version', versionOf(row.after)],
    ['emergency access', grantIn(row.after)],
    ['trace', traceIn(row)],
  ].flatMap(([name, value]) => (name && value ? [{ type: name, valueString: value }] : []));
  return {
    ...(reference && { what: { reference } }),
    ...(isResourceType(type) && { type: { system: ENTITY_TYPE, code: type } }),
    ...(details.length > 0 && { detail: details }),
  };
}

/** What is no reference of ours has none: an account that nobody has, a type that was searched. */
function known(target: string): string | undefined {
  return target !== 'User/unknown' && parseReference(target)?.kind === 'local' ? target : undefined;
}

/** By which a run and what it asked for are found elsewhere, too (W3C trace-id). */
function traceIn({ action, after }: AuditFacts): string | undefined {
  const { traceId } = (after ?? {}) as { traceId?: unknown };
  return action === RUN && typeof traceId === 'string' ? traceId : undefined;
}

function versionOf(value: unknown): string | undefined {
  const version = (value as { version?: unknown } | null)?.version;
  return typeof version === 'number' ? String(version) : undefined;
}
