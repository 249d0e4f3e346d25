import { and, asc, desc, eq, sql } from 'drizzle-orm';
import { env } from '#lib/base/env.ts';
import { notFound } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import { db, type Queryable } from '#lib/infra/db/client.ts';
import { membershipKey } from '#lib/infra/db/schema/identity.ts';
import { scimConnection, scimMember, scimRequest, scimToken } from '#lib/infra/db/schema/scim.ts';
import type { ScimConnectionList, ScimRequestRow } from '#lib/protocol/answers/scim-connections.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';

export type Connection = typeof scimConnection.$inferSelect;

/** The project's connections with what is known of their tokens, by name. For administrators. */
export async function listConnections(ctx: Ctx, projectId: string): Promise<ScimConnectionList> {
  requireProjectAdmin(ctx, projectId);
  if (!isUuid(projectId)) throw notFound();
  const [connections, tokens, members] = await Promise.all([
    db()
      .select()
      .from(scimConnection)
      .where(eq(scimConnection.projectId, projectId))
      .orderBy(sql`lower(${scimConnection.name})`, scimConnection.id),
    db().select().from(scimToken).where(eq(scimToken.projectId, projectId)).orderBy(asc(scimToken.createdAt)),
    db()
      .select({ id: scimMember.connectionId, n: sql<number>`count(*)::int` })
      .from(scimMember)
      .innerJoin(
        membershipKey,
        and(eq(membershipKey.projectId, projectId), eq(membershipKey.membershipId, scimMember.membershipId)),
      )
      .where(eq(scimMember.projectId, projectId))
      .groupBy(scimMember.connectionId),
  ]);
  const rows = connections.map(({ id, name, sendEmail, createdAt, lastUsedAt, requests }) => ({
    id,
    name,
    sendEmail,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    requests,
    members: members.find((row) => row.id === id)?.n ?? 0,
    tokens: tokens
      .filter((token) => token.connectionId === id)
      .map((token) => ({
        id: token.id,
        hint: token.hint,
        createdAt: token.createdAt.toISOString(),
        lastUsedAt: token.lastUsedAt?.toISOString() ?? null,
      })),
  }));
  return { url: `${env().BASE_URL}/scim/v2`, rows };
}

/** What a connection asked last, newest first. Throws 403 and 404. */
export async function listRequests(ctx: Ctx, projectId: string, connectionId: string): Promise<ScimRequestRow[]> {
  requireProjectAdmin(ctx, projectId);
  await requireConnection(db(), projectId, connectionId);
  const rows = await db()
    .select()
    .from(scimRequest)
    .where(and(eq(scimRequest.projectId, projectId), eq(scimRequest.connectionId, connectionId)))
    .orderBy(desc(scimRequest.at), desc(scimRequest.slot));
  return rows.map(({ at, method, path, status, error }) => ({ at: at.toISOString(), method, path, status, error }));
}

/** Throws 404. */
export async function requireConnection(q: Queryable, projectId: string, id: string): Promise<Connection> {
  if (!isUuid(projectId) || !isUuid(id)) throw notFound();
  const [row] = await q.select().from(scimConnection).where(ofConnection(projectId, id));
  if (!row) throw notFound();
  return row;
}

/** As `requireConnection`, locked until the transaction ends. */
export async function lockConnection(tx: Queryable, projectId: string, id: string): Promise<Connection> {
  if (!isUuid(projectId) || !isUuid(id)) throw notFound();
  const [row] = await tx.select().from(scimConnection).where(ofConnection(projectId, id)).for('update');
  if (!row) throw notFound();
  return row;
}

export function ofConnection(projectId: string, id: string) {
  return and(eq(scimConnection.projectId, projectId), eq(scimConnection.id, id));
}
