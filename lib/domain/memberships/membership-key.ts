import { AppError } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import { type Queryable, runText } from '#lib/infra/db/client.ts';
import { uniqueViolation } from '#lib/infra/db/errors.ts';
import { toEntryDates } from '#lib/protocol/fhir/identity/membership-dates.ts';
import { LAST_INSTANT } from '#lib/protocol/fhir/index/date-range.ts';
import type { ProjectMembership } from '#lib/protocol/fhir/types.ts';
import { namesPolicy } from '#lib/protocol/policies/policy-required.ts';
import type { StoredInviteStatus } from '#lib/protocol/requests/invite-statuses.ts';
import { botTag } from '../access/cache-tags.ts';
import type { Write } from '../access/context.ts';
import { noteProject } from '../directory/note-project.ts';
import { counted } from '../standing/counted.ts';
import { createRowWith } from '../store/create-row.ts';

/** Of whom the key is. */
export type KeyOf = { projectId: string; id: string };

/** How the invitation of a new membership stands, where that is known before its link is made. */
export type NewInvite = { status: StoredInviteStatus; invitedAt: Date; ends: Date | null };

export type NewKey = { slot: string; awaitsProof: boolean; invite?: NewInvite };

const OF = 'project_id = $1::uuid and membership_id = $2::uuid';

/** Of `insertKey` alone, and after the fifteen of a new row (statements.ts), whose $1 and $3 are the project and the id. */
function insertParts(id: string, at: number): string {
  const $ = (n: number, type = 'text') => `$${at + n}::${type}`;
  return `
  k as (
    insert into membership_key (project_id, membership_id, user_ref, profile_ref, external_id, active, admin, limited, name, slot, awaits_proof,
      invite_status, invited_at, invite_ends, not_before, not_after)
    values ($1::uuid, ${id}::uuid, ${$(1)}, ${$(2)}, ${$(3)}, ${$(4, 'boolean')}, ${$(5, 'boolean')}, ${$(6, 'boolean')}, ${$(7)}, ${$(8)},
      ${$(9, 'boolean')}, ${$(10)}, ${$(11, 'timestamptz')}, ${$(12, 'timestamptz')},
      ${$(13, 'timestamptz')}, ${$(14, 'timestamptz')})
    returning *),
  c as (${counted('select *, 1 as n from k')})`;
}

const INSERT = `with ${insertParts('$2', 2)} select 1 from k`;
const WITH_ROW = insertParts('$3', 15);

const UPDATE = `
  with o as (select * from membership_key where ${OF} for no key update),
  k as (
    update membership_key k set user_ref = $3, profile_ref = $4, external_id = $5, active = $6::boolean, admin = $7::boolean, limited = $8::boolean, name = $9,
      not_before = $10::timestamptz, not_after = $11::timestamptz,
      profile_gone = k.profile_gone and k.profile_ref = $4
    from o where k.project_id = $1::uuid and k.membership_id = o.membership_id returning k.*),
  c as (${counted('select *, 1 as n from k union all select *, -1 from o')})
  select 1 from k`;

const FURTHER = `
  update membership_key k set slot = k.membership_id::text
  where k.project_id = $1::uuid and k.membership_id = $2::uuid and k.slot = ''
    and exists (select 1 from membership_key o where o.project_id = $1::uuid and o.user_ref = $3 and o.slot = '')`;

const DELETE = `
  with k as (delete from membership_key where ${OF} returning *),
  c as (${counted('select *, -1 as n from k')})
  select 1 from k`;

/** With what is stored of how it stands: `w.stands` where its invitation is not known yet. Throws 409 as `claim` says. */
export async function insertKey(
  tx: Queryable,
  { projectId, id }: KeyOf,
  of: ProjectMembership,
  key: NewKey,
): Promise<void> {
  await claim(() => runText(tx, INSERT, [projectId, id, ...toParams(of, key)]));
}

/** A new membership and its key, in one statement. */
export async function createWithKey(
  w: Write,
  { projectId, id }: KeyOf,
  of: ProjectMembership,
  key: NewKey,
  author: string | undefined,
) {
  const besides = { parts: WITH_ROW, params: toParams(of, key) };
  return claim(() => createRowWith(w, projectId, of, { author, id }, besides));
}

function toParams(of: ProjectMembership, { slot, awaitsProof, invite }: NewKey): unknown[] {
  const told = [invite?.status ?? 'none', invite?.invitedAt.toISOString() ?? null, invite?.ends?.toISOString() ?? null];
  return [...keyColumns(of), slot, awaitsProof, ...told, ...dateColumns(of)];
}

export async function updateKey(tx: Queryable, { projectId, id }: KeyOf, of: ProjectMembership): Promise<void> {
  await claim(() => runText(tx, UPDATE, [projectId, id, ...keyColumns(of), ...dateColumns(of)]));
}

/** A membership that is about to be another account's ("User/id"): beside the one membership that this has there it is a further one. */
export async function makeFurther(tx: Queryable, { projectId, id }: KeyOf, userRef: string): Promise<void> {
  await claim(() => runText(tx, FURTHER, [projectId, id, userRef]));
}

export async function deleteKey(tx: Queryable, { projectId, id }: KeyOf): Promise<void> {
  await runText(tx, DELETE, [projectId, id]);
}

/** What of a membership stands outside its JSON, where the database holds the rules: $3 to $9. */
export function keyColumns({ user, profile, externalId, active, admin, ...access }: ProjectMembership): unknown[] {
  return [
    user.reference ?? '',
    profile.reference ?? '',
    externalId ?? null,
    active !== false,
    admin === true,
    namesPolicy(access),
    profile.display ?? user.display ?? null,
  ];
}

/** The two after them when a row is updated. */
export function dateColumns(of: ProjectMembership): unknown[] {
  const { from, until } = toEntryDates(of);
  return [from, until].map((at) =>
    at === undefined ? null : new Date(Math.min(at, LAST_INSTANT.getTime())).toISOString(),
  );
}

/** Who stands on these profiles changes: of others there it is noted whether they share theirs. A program is its own profile. */
export function tellShared(w: Write, projectId: string, ...memberships: ProjectMembership[]): void {
  for (const { user, profile } of memberships) {
    if (profile.reference && profile.reference !== user.reference) w.stands({ projectId, profile: profile.reference });
  }
}

/** A person is known to be there from now on. */
export async function noteMember(w: Write, projectId: string, { user }: ProjectMembership): Promise<void> {
  const [type, id] = user.reference?.split('/') ?? [];
  if (type === 'User' && isUuid(id)) await noteProject(w.tx, projectId, [id]);
}

/** What was loaded of a bot when it had no membership ends when it has one, new or again. */
export function endNone(w: Write, { user }: ProjectMembership): void {
  const [type, id] = user.reference?.split('/') ?? [];
  if (type === 'Bot' && id) w.invalidate(botTag(id));
}

/** Runs a change of `membership_key`; losing to one of its unique indexes is a 409 that says which. */
export async function claim<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    const index = uniqueViolation(error);
    if (index === undefined) throw error;
    const cause = { cause: error };
    if (index === 'membership_key_external') {
      throw new AppError('conflict', 'A member with this externalId already exists', {
        ...cause,
        expression: 'externalId',
      });
    }
    throw new AppError('conflict', 'User is already a member of this project', cause);
  }
}

/** What the audit trail keeps of a membership: rights, not names. */
export function toFacts(membership: ProjectMembership): Record<string, unknown> {
  const { admin = false, active = true, profile, accessPolicy, access, period, suspendedUntil } = membership;
  const rights = { admin, active, profile: profile.reference, accessPolicy: accessPolicy?.reference, access };
  return { ...rights, ...(period && { period }), ...(suspendedUntil && { suspendedUntil }) };
}
