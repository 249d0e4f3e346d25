import { and, desc, eq, gt, lt, or, type SQL } from 'drizzle-orm';
import { notFound } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import { db } from '#lib/infra/db/client.ts';
import { type BreakGlassRow, breakGlass } from '#lib/infra/db/schema/access/break-glass.ts';
import type { GrantPage, OwnGrantPage } from '#lib/protocol/break-glass/answers.ts';
import type { GrantsQuery, OwnGrantsQuery } from '#lib/protocol/break-glass/requests.ts';
import { formatCursor } from '#lib/protocol/cursor.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';
import { isIn, toGrants, toOwn } from './grant-rows.ts';
import { requirePerson } from './require-person.ts';

/** The newest first. For administrators. */
export async function listGrants(ctx: Ctx, projectId: string, { state, ...page }: GrantsQuery): Promise<GrantPage> {
  const actor = requireProjectAdmin(ctx, projectId);
  if (!isUuid(projectId)) throw notFound();
  const { rows, next } = await findPage(projectId, page, state && isIn(state));
  return { rows: await toGrants(actor, projectId, rows), next };
}

/** One’s own, in the project of the session, and whether one may. */
export async function listOwnGrants(ctx: Ctx, page: OwnGrantsQuery): Promise<OwnGrantPage> {
  const { projectId, membershipId, glassMinutes } = requirePerson(ctx);
  const { rows, next } = await findPage(projectId, page, eq(breakGlass.membershipId, membershipId));
  return { may: glassMinutes !== undefined, minutes: glassMinutes ?? null, rows: rows.map(toOwn), next };
}

async function findPage(
  projectId: string,
  { _count: limit, cursor }: OwnGrantsQuery,
  which: SQL | undefined,
): Promise<{ rows: BreakGlassRow[]; next: string | null }> {
  const { id, openedAt } = breakGlass;
  const after = cursor && or(lt(openedAt, cursor.at), and(eq(openedAt, cursor.at), gt(id, cursor.id)));
  const found = await db()
    .select()
    .from(breakGlass)
    .where(and(eq(breakGlass.projectId, projectId), which, after))
    .orderBy(desc(openedAt), id)
    .limit(limit + 1);
  const rows = found.slice(0, limit);
  const last = found.length > limit ? rows.at(-1) : undefined;
  return { rows, next: last ? formatCursor({ at: last.openedAt, id: last.id }) : null };
}
