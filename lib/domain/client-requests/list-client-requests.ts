import { and, desc, eq, gte } from 'drizzle-orm';
import { notFound } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import { db } from '#lib/infra/db/client.ts';
import { clientRequest, clientTraffic } from '#lib/infra/db/schema/clients.ts';
import type { ClientRequests } from '#lib/protocol/answers/clients.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';
import { findRow, requireLive } from '../store/find-row.ts';

type Options = { status?: 'failed' };

/**
 * What a client asked last, the newest first: the last hundred that were answered and the last hundred that failed, or the latter alone. Those of the
 * last second may be missing. For administrators. Throws 403, 404 and 410.
 */
export async function listClientRequests(
  ctx: Ctx,
  projectId: string,
  clientId: string,
  { status }: Options,
): Promise<ClientRequests> {
  requireProjectAdmin(ctx, projectId);
  if (!isUuid(projectId) || !isUuid(clientId)) throw notFound();
  requireLive(await findRow(projectId, 'ClientApplication', clientId));
  const own = and(eq(clientRequest.projectId, projectId), eq(clientRequest.clientId, clientId));
  const [rows, [traffic]] = await Promise.all([
    db()
      .select()
      .from(clientRequest)
      .where(status === 'failed' ? and(own, gte(clientRequest.status, 400)) : own)
      .orderBy(desc(clientRequest.at), desc(clientRequest.slot)),
    db()
      .select()
      .from(clientTraffic)
      .where(and(eq(clientTraffic.projectId, projectId), eq(clientTraffic.clientId, clientId))),
  ]);
  return {
    total: (traffic?.done ?? 0) + (traffic?.failed ?? 0),
    failed: traffic?.failed ?? 0,
    rows: rows.map(({ at, method, route, status, remoteAddress }) => ({
      at: at.toISOString(),
      method,
      route,
      status,
      remoteAddress,
    })),
  };
}
