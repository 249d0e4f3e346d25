import { and, eq, gt, isNull, ne, or } from 'drizzle-orm';
import type { Queryable } from '#lib/infra/db/client.ts';
import { oneTimeLink } from '#lib/infra/db/schema/login.ts';
import type { LinkInfo } from '#lib/protocol/answers/link.ts';
import type { LinkRow } from './find-link.ts';

export type LinkStanding = Pick<LinkInfo, 'state' | 'replaced'>;

/** A superseded link has expired, or is used with the newer one that took its place: nobody looks for a mail that would not help them. */
export async function readLinkState(q: Queryable, row: LinkRow): Promise<LinkStanding> {
  if (row.usedAt) return { state: 'used' };
  if (!row.supersededAt) return { state: row.expiresAt <= new Date() ? 'expired' : 'open' };
  const newer = row.revokedAt ? undefined : await findNewer(q, row);
  if (!newer) return { state: 'expired' };
  return { state: newer.usedAt ? 'used' : 'expired', replaced: true };
}

/** One that could have superseded it (`supersedeLinks`; one of no project ends those of every project), if there is one that was used. */
async function findNewer(q: Queryable, { id, userId, kind, projectId, createdAt }: LinkRow) {
  const { projectId: project } = oneTimeLink;
  const newer = and(
    ne(oneTimeLink.id, id),
    eq(oneTimeLink.userId, userId),
    eq(oneTimeLink.kind, kind),
    projectId ? or(isNull(project), eq(project, projectId)) : isNull(project),
    gt(oneTimeLink.createdAt, createdAt),
    isNull(oneTimeLink.revokedAt),
  );
  const { usedAt } = oneTimeLink;
  const [row] = await q.select({ usedAt }).from(oneTimeLink).where(newer).orderBy(usedAt).limit(1);
  return row;
}
