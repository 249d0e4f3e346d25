import { and, desc, eq, gt, lt, or, type SQL } from 'drizzle-orm';
import { notFound } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import { db } from '#lib/infra/db/client.ts';
import { type AccessRequestRow, accessRequest } from '#lib/infra/db/schema/access-request.ts';
import type { AccessRequestPage, OwnAccessRequestPage } from '#lib/protocol/access-requests/answers.ts';
import type { AccessRequestsQuery, OwnRequestsQuery } from '#lib/protocol/access-requests/requests.ts';
import { formatCursor } from '#lib/protocol/cursor.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';
import { toOwn, toRequests } from './request-rows.ts';
import { requireSelf } from './require-self.ts';

/** The newest first. For administrators. */
export async function listRequests(
  ctx: Ctx,
  projectId: string,
  { state, ...page }: AccessRequestsQuery,
): Promise<AccessRequestPage> {
  const actor = requireProjectAdmin(ctx, projectId);
  if (!isUuid(projectId)) throw notFound();
  const { rows, next } = await findPage(projectId, page, state && eq(accessRequest.state, state));
  return { rows: await toRequests(actor, projectId, rows), next };
}

/** One’s own, in the project of the session. */
export async function listOwnRequests(ctx: Ctx, page: OwnRequestsQuery): Promise<OwnAccessRequestPage> {
  const { projectId, membershipId } = requireSelf(ctx);
  const { rows, next } = await findPage(projectId, page, eq(accessRequest.membershipId, membershipId));
  return { rows: rows.map(toOwn), next };
}

async function findPage(
  projectId: string,
  { _count: count, cursor }: OwnRequestsQuery,
  which: SQL | undefined,
): Promise<{ rows: AccessRequestRow[]; next: string | null }> {
  const { id, createdAt } = accessRequest;
  const after = cursor && or(lt(createdAt, cursor.at), and(eq(createdAt, cursor.at), gt(id, cursor.id)));
  const found = await db()
    .select()
    .from(accessRequest)
    .where(and(eq(accessRequest.projectId, projectId), which, after))
    .orderBy(desc(createdAt), id)
    .limit(count + 1);
  const rows = found.slice(0, count);
  const last = found.length > count ? rows.at(-1) : undefined;
  return { rows, next: last ? formatCursor({ at: last.createdAt, id: last.id }) : null };
}
