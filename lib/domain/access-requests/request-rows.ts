import { and, eq } from 'drizzle-orm';
import { AppError, notFound } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import { db, type Queryable } from '#lib/infra/db/client.ts';
import { type AccessRequestRow, accessRequest } from '#lib/infra/db/schema/access-request.ts';
import { membershipKey } from '#lib/infra/db/schema/identity.ts';
import { isAnyUuidOf } from '#lib/infra/db/text-array.ts';
import type { AccessRequest, OwnAccessRequest } from '#lib/protocol/access-requests/answers.ts';
import { type Actor, type Ctx, callerOf, requireProjectAdmin } from '../access/context.ts';
import { named, resolveNames } from '../audit/resolve-names.ts';

/** For administrators. Throws 404. */
export async function readRequest(ctx: Ctx, projectId: string, requestId: string): Promise<AccessRequest> {
  const actor = requireProjectAdmin(ctx, projectId);
  const [told] = await toRequests(actor, projectId, [await findRequest(projectId, requestId)]);
  return told!;
}

/** Throws 404 for none, and for what is no id. */
export async function findRequest(
  projectId: string,
  requestId: string,
  q: Queryable = db(),
): Promise<AccessRequestRow> {
  const [row] =
    isUuid(projectId) && isUuid(requestId) ? await q.select().from(accessRequest).where(is(projectId, requestId)) : [];
  if (!row) throw notFound();
  return row;
}

/**
 * Kept from others until the transaction ends: of two who decide at once, the second finds it decided. `membershipId`: of this member. Throws 404, and 409
 * once it is not open.
 */
export async function lockOpen(
  tx: Queryable,
  projectId: string,
  requestId: string,
  membershipId?: string,
): Promise<AccessRequestRow> {
  if (!isUuid(projectId) || !isUuid(requestId)) throw notFound();
  const whose = membershipId === undefined ? undefined : eq(accessRequest.membershipId, membershipId);
  const [row] = await tx
    .select()
    .from(accessRequest)
    .where(and(is(projectId, requestId), whose))
    .for('update');
  if (!row) throw notFound();
  if (row.state !== 'open') throw new AppError('conflict', `The request is not open any more: it is ${row.state}`);
  return row;
}

export function is(projectId: string, requestId: string) {
  return and(eq(accessRequest.projectId, projectId), eq(accessRequest.id, requestId));
}

/** As who asked sees it. */
export function toOwn(row: AccessRequestRow): OwnAccessRequest {
  return {
    ...{ id: row.id, resourceType: row.type, interaction: row.interaction, decision: row.decisionId },
    ...{ reason: row.reason, state: row.state, answer: row.answer },
    createdAt: row.createdAt.toISOString(),
    closedAt: row.closedAt?.toISOString() ?? null,
    until: row.endsAt?.toISOString() ?? null,
  };
}

/** Of one project. */
export async function toRequests(
  actor: Actor,
  projectId: string,
  rows: readonly AccessRequestRow[],
): Promise<AccessRequest[]> {
  if (rows.length === 0) return [];
  const references = rows.flatMap((row) => [row.profileRef, row.entry?.policy.reference]);
  const [names, members] = await Promise.all([resolveNames(projectId, references), findMembers(projectId, rows)]);
  return rows.map((row) => {
    const now = members.get(row.membershipId);
    return {
      ...toOwn(row),
      membership: row.membershipId,
      member: { reference: row.profileRef, display: now?.name ?? names.get(row.profileRef) ?? null },
      isMember: now?.active === true,
      own: isOf(actor, [row.userRef, now?.userRef]),
      decidedBy: row.decidedBy === null ? null : { reference: row.decidedBy, display: row.decidedByDisplay },
      policy: named(names, row.entry?.policy.reference),
      parameter: row.entry?.parameter ?? [],
    };
  });
}

/** Whether it is theirs: whose it was when it was asked, and whose the membership is now. */
export function isOf(actor: Actor, users: readonly (string | undefined)[]): boolean {
  return users.includes(actor.user) || users.includes(callerOf(actor).user);
}

async function findMembers(projectId: string, rows: readonly AccessRequestRow[]) {
  const ids = [...new Set(rows.map(({ membershipId }) => membershipId))];
  const { membershipId: id, name, active, userRef } = membershipKey;
  const found = await db()
    .select({ id, name, active, userRef })
    .from(membershipKey)
    .where(and(eq(membershipKey.projectId, projectId), isAnyUuidOf(id, ids)));
  return new Map(found.map((one) => [one.id, one]));
}
