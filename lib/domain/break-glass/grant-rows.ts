import { and, eq, isNotNull, isNull, lte, or, type SQL, sql } from 'drizzle-orm';
import { notFound } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import { db, type Queryable } from '#lib/infra/db/client.ts';
import { type BreakGlassRow, breakGlass } from '#lib/infra/db/schema/access/break-glass.ts';
import { membershipKey } from '#lib/infra/db/schema/identity.ts';
import { isAnyUuidOf, toTextArray } from '#lib/infra/db/text-array.ts';
import type { Grant, GrantState, OwnGrant } from '#lib/protocol/break-glass/answers.ts';
import { type Actor, callerOf } from '../access/context.ts';
import { named, resolveNames } from '../audit/resolve-names.ts';

export function is(projectId: string, grantId: string): SQL | undefined {
  return and(eq(breakGlass.projectId, projectId), eq(breakGlass.id, grantId));
}

/** As `stateOf`. */
export function isIn(state: GrantState): SQL | undefined {
  const { endedAt, closedAt, endsAt } = breakGlass;
  if (state === 'closed') return isNotNull(closedAt);
  const isOver = or(isNotNull(endedAt), lte(endsAt, sql`now()`));
  return and(isNull(closedAt), state === 'waiting' ? isOver : sql`not (${isOver})`);
}

export function stateOf({ closedAt, endedAt, endsAt }: BreakGlassRow): GrantState {
  if (closedAt) return 'closed';
  return endedAt || endsAt <= new Date() ? 'waiting' : 'open';
}

/** Throws 404 for none, and for what is no id. `membershipId`: of this member. */
export async function findGrant(
  projectId: string,
  grantId: string,
  q: Queryable = db(),
  membershipId?: string,
): Promise<BreakGlassRow> {
  const whose = membershipId === undefined ? undefined : eq(breakGlass.membershipId, membershipId);
  const isOne = isUuid(projectId) && isUuid(grantId);
  const [row] = isOne
    ? await q
        .select()
        .from(breakGlass)
        .where(and(is(projectId, grantId), whose))
    : [];
  if (!row) throw notFound();
  return row;
}

/** Kept from others until the transaction ends. Throws 404. */
export async function lockGrant(tx: Queryable, projectId: string, grantId: string): Promise<BreakGlassRow> {
  const [row] = await tx.select().from(breakGlass).where(is(projectId, grantId)).for('update');
  if (!row) throw notFound();
  return row;
}

/** As who has it sees it. */
export function toOwn(row: BreakGlassRow): OwnGrant {
  const ended = row.endedAt ?? (row.endsAt <= new Date() ? row.endsAt : null);
  return {
    ...{ id: row.id, state: stateOf(row), reason: row.reason },
    ...{ openedAt: row.openedAt.toISOString(), endsAt: row.endsAt.toISOString() },
    ...{ endedAt: ended?.toISOString() ?? null, endedBy: row.endedBy ?? (ended ? 'time' : null) },
  };
}

/** Of one project, for administrators. */
export async function toGrants(actor: Actor, projectId: string, rows: readonly BreakGlassRow[]): Promise<Grant[]> {
  if (rows.length === 0) return [];
  const references = rows.flatMap((row) => [row.profileRef, row.policy, row.enderRef]);
  const [names, members] = await Promise.all([resolveNames(projectId, references), findMembers(projectId, rows)]);
  return rows.map((row) => {
    const now = members.get(row.membershipId);
    return {
      ...toOwn(row),
      membership: row.membershipId,
      member: { reference: row.profileRef, display: now?.name ?? names.get(row.profileRef) ?? null },
      isMember: now?.active === true,
      own: isOf(actor, [row.userRef, now?.userRef]),
      policy: { reference: row.policy, display: names.get(row.policy) ?? null },
      endedByWhom: named(names, row.enderRef),
      closedAt: row.closedAt?.toISOString() ?? null,
      closedBy: row.closerRef === null ? null : { reference: row.closerRef, display: row.closerDisplay },
      note: row.note,
    };
  });
}

/** Whether it is theirs: whose it was then, and whose the membership is now. */
export function isOf(actor: Actor, users: readonly (string | undefined)[]): boolean {
  return users.includes(actor.user) || users.includes(callerOf(actor).user);
}

async function findMembers(projectId: string, rows: readonly BreakGlassRow[]) {
  const ids = [...new Set(rows.map(({ membershipId }) => membershipId))];
  const { membershipId: id, name, active, userRef } = membershipKey;
  const found = await db()
    .select({ id, name, active, userRef })
    .from(membershipKey)
    .where(and(eq(membershipKey.projectId, projectId), isAnyUuidOf(id, ids)));
  return new Map(found.map((one) => [one.id, one]));
}

/** That these memberships had emergency access stays told, and no longer in anybody’s words. */
export async function forgetGrants(tx: Queryable, projectId: string, memberships: readonly string[]): Promise<void> {
  if (memberships.length === 0) return;
  await tx.execute(sql`
    update break_glass set reason = '', note = case when note is null then null else '' end
    where project_id = ${projectId}::uuid and membership_id = any(${toTextArray(memberships)}::uuid[])`);
}
