import { db, type Queryable, runText, transaction } from '#lib/infra/db/client.ts';
import { toTextArray } from '#lib/infra/db/text-array.ts';
import { searchParam } from '#lib/protocol/fhir/index/search-params.ts';
import { uriToken } from '#lib/protocol/fhir/index/tokens.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import { type Ctx, requireActor } from '../access/context.ts';
import { fromRaw, type RawRow } from '../store/row.ts';
import { placeConcepts } from './place-concepts.ts';

/** Of one call: who asks again finds the next. */
const MOST = 10;

/**
 * Places the concepts of systems that are stored and have none yet, or those of another version: what the release before wrote, and what came with the file of
 * a project. Asked only when a system was not found.
 */
export async function settleSystems(ctx: Ctx, names: readonly { id?: string; url?: string }[]): Promise<void> {
  const { projectId } = requireActor(ctx);
  const param = searchParam('CodeSystem', 'url');
  if (!param) return;
  const urls = names.flatMap(({ url }) => (url === undefined ? [] : [uriToken(param, projectId, url)]));
  const ids = names.flatMap(({ id }) => id ?? []);
  const params = [projectId, `{${urls.join(',')}}`, toTextArray(ids)];
  const rows = await runText<RawRow>(ctx.write?.tx ?? db(), UNSETTLED, params);
  const place = async (tx: Queryable) => {
    for (const raw of rows) await placeConcepts(tx, fromRaw(projectId, 'CodeSystem', raw));
  };
  if (rows.length > 0) await (ctx.write ? place(ctx.write.tx) : transaction(place));
}

/** What releases before have placed lacks this, and is placed anew. */
export const IS_WHOLE = `s.head ? 'properties'`;
const OF_TYPE = `r.project_id = $1::uuid and r.type_id = ${typeId('CodeSystem')} and not r.deleted`;
const IS_LACKING = `not exists (select 1 from code_system s where s.project_id = $1::uuid and s.id = r.id and s.row_version = r.version
  and ${IS_WHOLE})`;
const COLUMNS = 'r.id, r.version, r.last_updated, r.author, r.meta::text as meta, r.content::text as content';
const UNSETTLED = `
  select ${COLUMNS} from resource r where ${OF_TYPE} and r.tokens && $2::bigint[] and ${IS_LACKING}
  union all
  select ${COLUMNS} from resource r where ${OF_TYPE} and r.id = any($3::text[]) and ${IS_LACKING}
  limit ${MOST}`;
