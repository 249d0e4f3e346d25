import { sql } from 'drizzle-orm';
import type { Queryable } from '#lib/infra/db/client.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import type { Write } from '../access/context.ts';
import { findVersion } from './find-history.ts';
import { lockRow } from './find-row.ts';
import { type Row, toResource } from './row.ts';
import { updateRow } from './update-row.ts';

/**
 * Brings a resource back as history last knew it, as a new version. Whatever became of its row: deleted by the rules, or lost by
 * something that went round them. Undefined when history holds nothing to bring back; a row that is there stays as it is.
 */
export async function reviveRow(
  w: Write,
  projectId: string,
  type: string,
  id: string,
  author: string | undefined,
): Promise<Row | undefined> {
  const known = await findLastLive(w.tx, projectId, type, id);
  const last = known && (await findVersion(projectId, type, id, known.live, w.tx));
  if (!last) return undefined;
  // The number of the next version stands above every one that history has: a reader's ETag never means two things.
  await w.tx.execute(sql`
    insert into resource (project_id, type_id, id, version, last_updated, deleted)
    values (${projectId}, ${typeId(type)}, ${id}, ${known.newest}, ${known.at}::timestamptz, true)
    on conflict (project_id, type_id, id) do update
      set version = greatest(resource.version, excluded.version), last_updated = greatest(resource.last_updated, excluded.last_updated)
      where resource.deleted`);
  const row = await lockRow(w.tx, projectId, type, id);
  return row?.deleted ? updateRow(w, row, toResource(last), author) : row;
}

type Known = { live: number; newest: number; at: string };

async function findLastLive(tx: Queryable, projectId: string, type: string, id: string): Promise<Known | undefined> {
  const [found] = await tx.execute<Known | { live: null; newest: null; at: null }>(sql`
    select max(version) filter (where op <> 'delete') as live, max(version) as newest, max(last_updated) as at
    from resource_history where project_id = ${projectId} and type_id = ${typeId(type)} and id = ${id}`);
  return found && found.live !== null ? found : undefined;
}
