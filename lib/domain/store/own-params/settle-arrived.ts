import { AppError } from '#lib/base/errors.ts';
import { runText } from '#lib/infra/db/client.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import type { Project } from '#lib/protocol/fhir/types.ts';
import type { Write } from '../../access/context.ts';
import { fromRaw, type RawRow } from '../row.ts';
import { settleParams, tagsOf } from './settle-params.ts';
import { settleTextSearch } from './settle-text-search.ts';

/** More than a project has of them. */
const MOST = 500;

/**
 * The SearchParameters of a project that came as a file, which was indexed as R4 has it, and its words: they are indexed in the background. A
 * SearchParameter that its server took and this one does not understand is a resource like any other, and a search with it is refused.
 */
export async function settleArrived(w: Write, projectId: string, project: Project): Promise<void> {
  for (const tag of tagsOf(projectId)) w.invalidate(tag);
  await settleTextSearch(w, projectId, project);
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
