import { AppError } from '#lib/base/errors.ts';
import { runText } from '#lib/infra/db/client.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import type { Write } from '../../access/context.ts';
import { fromRaw, type RawRow } from '../row.ts';
import { settleParams, tagsOf } from './settle-params.ts';

/** More than a project has of them. */
const MOST = 500;

/**
 * The SearchParameters of a project that came as a file, which was indexed as R4 has it: they are indexed in the background. One that its server took and
 * this one does not understand is a resource like any other, and a search with it is refused.
 */
export async function settleArrived(w: Write, projectId: string): Promise<void> {
  for (const tag of tagsOf(projectId)) w.invalidate(tag);
  const rows = await runText<RawRow>(w.tx, ACTIVE, [projectId]);
  for (const raw of rows) {
    try {
      await settleParams(w, fromRaw(projectId, 'SearchParameter', raw));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
    }
  }
}

const ACTIVE = `
  select r.id, r.version, r.last_updated, r.author, r.meta::text as meta, r.content::text as content from resource r
  where r.project_id = $1::uuid and r.type_id = ${typeId('SearchParameter')} and not r.deleted and r.content ->> 'status' = 'active'
  order by r.id limit ${MOST}`;
