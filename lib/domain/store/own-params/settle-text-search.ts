import { newId } from '#lib/base/ids.ts';
import { type Queryable, runText } from '#lib/infra/db/client.ts';
import { lockName } from '#lib/infra/db/lock-name.ts';
import { keepProgress } from '#lib/infra/db/upkeep.ts';
import type { Project } from '#lib/protocol/fhir/types.ts';
import { TEXT_SEARCH } from '#lib/protocol/text-search.ts';
import type { Write } from '../../access/context.ts';
import { changesParams } from './know-params.ts';
import { requireFewWaiting, tagsOf, type Work, workOf } from './settle-params.ts';
import { OF_ALL_TYPES } from './text-row.ts';

type Kept = { number: number; typeId: number; state: string };

/**
 * What a project's setting says of its words from now on, in the transaction that changes it: they are indexed in the background as its search
 * parameters are, under a number that nothing else has had, or no longer. Throws 422 while too many changes wait.
 */
export async function settleTextSearch(w: Write, projectId: string, project: Pick<Project, 'setting'>): Promise<void> {
  const isWanted = isTextSearched(project);
  await lockName(w.tx, `search-parameters:${projectId}`);
  const kept = await list(w.tx, projectId);
  const current = kept.find(({ typeId, state }) => typeId === OF_ALL_TYPES && state !== 'ended');
  if ((current !== undefined) === isWanted) return;
  requireFewWaiting('Project.setting', kept.filter(({ state }) => state === 'ended').length);
  changesParams(w.tx);
  const text = current ? END : BEGIN;
  await runText(w.tx, text, [projectId, current?.number ?? (kept.at(-1)?.number ?? 0) + 1]);
  await keepProgress(workOf(projectId), { run: newId(), looked: 0 } satisfies Work, w.tx);
  for (const tag of tagsOf(projectId)) w.invalidate(tag);
}

export function isTextSearched({ setting = [] }: Pick<Project, 'setting'>): boolean {
  return setting.some(({ name, valueBoolean }) => name === TEXT_SEARCH && valueBoolean === true);
}

const END = `update search_parameter set state = 'ended' where project_id = $1::uuid and number = $2::int`;
/** No resource has this id: it has a character that none may have. */
const BEGIN = `
  insert into search_parameter (project_id, number, id, type_id, code, definition, state)
  values ($1::uuid, $2::int, '_content', ${OF_ALL_TYPES}, '_content', '{}', 'building')`;

function list(tx: Queryable, projectId: string): Promise<Kept[]> {
  const text = `
    select number, type_id as "typeId", state from search_parameter where project_id = $1::uuid order by number`;
  return runText<Kept>(tx, text, [projectId]);
}
