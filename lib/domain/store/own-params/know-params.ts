import { log } from '#lib/base/log.ts';
import { db, type Queryable, runText } from '#lib/infra/db/client.ts';
import { createLiveCache } from '#lib/infra/db/live-cache.ts';
import { compileOwnParam, type Definition } from '#lib/protocol/fhir/index/compile-own-param.ts';
import { type OwnParams, type SearchParam, tellOwnParams } from '#lib/protocol/fhir/index/search-params.ts';
import { typeName } from '#lib/protocol/fhir/type-ids.ts';
import { type TextSearch, tellTextSearch } from '#lib/protocol/fhir/words/text-search.ts';
import { searchParametersTag } from '../../access/cache-tags.ts';
import { OF_ALL_TYPES } from './text-row.ts';

const known = createLiveCache<Named>(20_000);

/**
 * Whoever indexes or searches something of a project knows its own search parameters, and whether its words are indexed, when this resolves,
 * as they are committed. Without a statement, until one of them changes. Resolves to the name of what is known: '' of a project that has none.
 */
export async function knowParams(projectId: string, q?: Queryable): Promise<string> {
  // What a transaction itself says of them holds from its commit on.
  if (q && changing.has(q)) return '';
  const { params, text, name } = await known.get(projectId, async () => ({
    value: await load(projectId, q ?? db()),
    tags: [searchParametersTag(projectId)],
  }));
  tellOwnParams(projectId, params);
  tellTextSearch(projectId, text);
  return name;
}

type Named = { params: OwnParams; text: TextSearch | undefined; name: string };

const changing = new WeakSet<Queryable>();

/** From now on this transaction has changed them. */
export function changesParams(tx: Queryable): void {
  changing.add(tx);
}

type Known = { number: number; type_id: number; code: string; definition: Definition; state: string };

const CURRENT = `
  select number, type_id, code, definition, state from search_parameter where project_id = $1::uuid and state <> 'ended' order by number`;

async function load(projectId: string, q: Queryable): Promise<Named> {
  const rows = await runText<Known>(q, CURRENT, [projectId]);
  const words = rows.find(({ type_id }) => type_id === OF_ALL_TYPES);
  const params = rows.flatMap((row) => (row === words ? [] : compiled(projectId, row)));
  return {
    params: Map.groupBy(params, ({ base }) => base),
    text: words && { number: words.number, isReady: words.state === 'ready' },
    name: rows.map(({ number, state }) => `${number}${state === 'ready' ? '' : '?'}`).join(),
  };
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
