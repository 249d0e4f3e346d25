import { sql } from 'drizzle-orm';
import { toInstant } from '#lib/infra/db/to-instant.ts';
import type { DidRead } from '#lib/protocol/audit/access-as-of.ts';
import { findAudit } from '../../audit/find-audit.ts';
import { named, resolveNames } from '../../audit/resolve-names.ts';

const MOST = 100;

type Asked = { type: string; id: string; from: Date; at: Date };

/** The newest reads of a record in that time, and the searches that showed it. */
export async function didRead(projectId: string, { type, id, from, at }: Asked): Promise<DidRead[]> {
  const isOfIt = sql`(e.action = 'resource.read' and e.target = ${`${type}/${id}`})
    or (e.action = 'resource.search' and e.target = ${type} and jsonb_exists(e.after -> 'found', ${id}))`;
  const isBefore = sql`e.at between ${from.toISOString()}::timestamptz and ${at.toISOString()}::timestamptz`;
  const inReach = sql`e.target = ${`${type}/${id}`} or e.target = ${type}`;
  const rows = await findAudit(projectId, { also: [inReach, isOfIt, isBefore] }, MOST);
  const names = await resolveNames(
    projectId,
    rows.flatMap((row) => [row.actor, row.on_behalf_of]),
  );
  return rows.map((row) => ({
    id: row.id,
    at: toInstant(row.at),
    how: row.action === 'resource.read' ? 'read' : 'search',
    actor: named(names, row.actor) ?? { reference: null, display: null },
    onBehalfOf: named(names, row.on_behalf_of),
  }));
}
