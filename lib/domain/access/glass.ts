import { isInTime, toEntryDates } from '#lib/protocol/fhir/identity/membership-dates.ts';
import type { AccessEntry, ProjectMembership } from '#lib/protocol/fhir/types.ts';
import type { Actor } from './context.ts';
import { entryName } from './entry-name.ts';
import { covers } from './policy.ts';
import { INTERACTIONS, type Rule, rule } from './rule.ts';

/**
 * Emergency access is an entry of `access` that ends: `id` says which grant it is. Alone it gives nothing: what it is worth the row of the grant says
 * (sessions/glass/load-glass.ts), so that one that was written by hand, copied, brought back or brought along is nothing.
 */
const MARK = /^break-glass-([0-9a-f-]{36})$/;

type Entries = Pick<ProjectMembership, 'accessPolicy' | 'access'>;

export function glassEntry(grantId: string, policy: string, endsAt: Date): AccessEntry {
  return { id: `break-glass-${grantId}`, policy: { reference: policy }, period: { end: endsAt.toISOString() } };
}

export function grantOf({ id }: AccessEntry): string | undefined {
  return id === undefined ? undefined : MARK.exec(id)?.[1];
}

/** That of a grant whose time is not over. */
export function liveGlassEntry({ access = [] }: Entries): AccessEntry | undefined {
  return access.find((entry) => grantOf(entry) !== undefined && isInTime(toEntryDates(entry)));
}

/** It names no policy, so it gives nothing. */
const NOTHING = { policy: {} } as AccessEntry;

/** Without emergency access; never without any limit for that. */
export function withoutGlassEntries<T extends Entries>(membership: T): T {
  const { accessPolicy, access = [] } = membership;
  const kept = access.filter((entry) => grantOf(entry) === undefined);
  if (kept.length === access.length) return membership;
  return { ...membership, access: kept.length > 0 || accessPolicy ? kept : [NOTHING] };
}

/** Who writes back what they have read may leave out which grant it is: what says the same is still it, and ends with it. */
export function withGlassMarks<T extends Entries>(next: T, before: Entries): T {
  const marked = (before.access ?? []).filter((entry) => grantOf(entry) !== undefined);
  if (marked.length === 0 || !next.access) return next;
  const known = new Map(marked.map((entry) => [entryName(entry), entry.id]));
  return { ...next, access: next.access.map((entry) => toMarked(entry, known.get(entryName(entry)))) };
}

function toMarked(entry: AccessEntry, id: string | undefined): AccessEntry {
  return id === undefined || entry.id !== undefined ? entry : { id, ...entry };
}

const RECORDS = rule('*', INTERACTIONS);

/** Of records alone: neither the administration, nor programs, nor the log is given in an emergency. */
export function ofRecords(rules: readonly Rule[]): Rule[] {
  return rules.filter(({ resourceType }) => covers(RECORDS, resourceType, 'update'));
}

/** The grant under which something is done just now. */
export function openGrantOf(actor: Actor | undefined): string | undefined {
  const { glass } = actor ?? {};
  return glass && glass.until > Date.now() ? glass.grantId : undefined;
}

/** What somebody may outside of an emergency: for what they give others, and for all that acts for them. */
export function withoutGlass(actor: Actor): Actor {
  if (!actor.glass) return actor;
  const { glass, ...rest } = actor;
  const { scope } = actor.policy;
  return { ...rest, policy: scope ? { ...glass.without, scope } : glass.without };
}
