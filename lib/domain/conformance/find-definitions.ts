import { db, type Queryable, runText } from '#lib/infra/db/client.ts';
import { searchParam } from '#lib/protocol/fhir/index/search-params.ts';
import { uriToken } from '#lib/protocol/fhir/index/tokens.ts';
import { parseCanonical } from '#lib/protocol/fhir/references.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';

type Definition = { url?: string; version?: string; status?: string };
type Found = { content: string };

/** Of one statement: what two resources claim is one more, and a url that everything has is not read whole. */
const MOST = 200;

/**
 * The profiles or value sets of a project that these canonicals name, in one statement: of several with one url the version that is asked for,
 * else the active one that was changed last. By canonical; those that there are.
 */
export async function findDefinitions<T extends Definition>(
  projectId: string,
  type: 'StructureDefinition' | 'ValueSet',
  canonicals: readonly string[],
  q: Queryable = db(),
): Promise<Map<string, T>> {
  const param = searchParam(type, 'url');
  if (!param || canonicals.length === 0) return new Map();
  const asked = canonicals.map((canonical) => ({ canonical, ...parseCanonical(canonical) }));
  const tokens = [...new Set(asked.map(({ url }) => uriToken(param, projectId, url)))];
  const text = `select content::text as content from resource
    where project_id = $1 and type_id = ${typeId(type)} and not deleted and tokens && $2::bigint[]
    order by last_updated desc limit ${MOST}`;
  const rows = await runText<Found>(q, text, [projectId, `{${tokens.join(',')}}`]);
  const definitions = rows.map(({ content }): Definition => JSON.parse(content));
  const active = [...definitions].sort((a, b) => Number(b.status === 'active') - Number(a.status === 'active'));
  return new Map(
    asked.flatMap(({ canonical, url, version }) => {
      const found = active.find((each) => each.url === url && (version === undefined || each.version === version));
      return found ? [[canonical, found as T] as const] : [];
    }),
  );
}
