import { log } from '#lib/base/log.ts';
import { db, type Queryable, runText } from '#lib/infra/db/client.ts';
import { createLiveCache } from '#lib/infra/db/live-cache.ts';
import { compileOwnParam, type Definition } from '#lib/protocol/fhir/index/compile-own-param.ts';
import { type OwnParams, type SearchParam, tellOwnParams } from '#lib/protocol/fhir/index/search-params.ts';
import { typeName } from '#lib/protocol/fhir/type-ids.ts';
import { searchParametersTag } from '../../access/cache-tags.ts';

const known = createLiveCache<Named>(20_000);

/**
 * Whoever indexes or searches something of a project knows its own search parameters when this resolves, as they are committed. Without a
 * statement, until one of them changes. Resolves to the name of what is known: '' of a project that has none.
 */
export async function knowParams(projectId: string, q?: Queryable): Promise<string> {
  // What a transaction itself says of them holds from its commit on.
  if (q && changing.has(q)) return '';
  const { params, name } = await known.get(projectId, async () => ({
    value: named(await load(projectId, q ?? db())),
    tags: [searchParametersTag(projectId)],
  }));
  tellOwnParams(projectId, params);
  return name;
}

type Named = { params: OwnParams; name: string };

function named(params: OwnParams): Named {
  const all = [...params.values()].flat();
  return { params, name: all.map(({ id, own }) => `${id}${own?.isReady ? '' : '?'}`).join() };
}

const changing = new WeakSet<Queryable>();

/** From now on this transaction has changed them. */
export function changesParams(tx: Queryable): void {
  changing.add(tx);
}

type Known = { number: number; type_id: number; code: string; definition: Definition; state: string };

const CURRENT = `
  select number, type_id, code, definition, state from search_parameter where project_id = $1::uuid and state <> 'ended' order by number`;

async function load(projectId: string, q: Queryable): Promise<OwnParams> {
  const rows = await runText<Known>(q, CURRENT, [projectId]);
  const params = rows.flatMap((row) => compiled(projectId, row));
  return Map.groupBy(params, ({ base }) => base);
}

/** What a later release understood, and this one does not, is as if it were not there: a search with it is refused. */
function compiled(projectId: string, { number, type_id, code, definition, state }: Known): SearchParam[] {
  try {
    const of = { projectId, number, isReady: state === 'ready' };
    return [compileOwnParam({ ...definition, base: typeName(type_id), code }, of)];
  } catch (err) {
    log.warn({ err, projectId, code }, 'a search parameter of a project is not understood');
    return [];
  }
}
