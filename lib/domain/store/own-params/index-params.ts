import { setTimeout as pause } from 'node:timers/promises';
import { log } from '#lib/base/log.ts';
import { pace } from '#lib/base/pace.ts';
import { db, type Queryable, runText, transaction } from '#lib/infra/db/client.ts';
import { dropLocally, publishInvalidations } from '#lib/infra/db/invalidation.ts';
import { lockName } from '#lib/infra/db/lock-name.ts';
import { tryLease } from '#lib/infra/db/single/leases.ts';
import { advanceProgress, dropProgress, listProgress, readProgress } from '#lib/infra/db/upkeep.ts';
import { numberOf } from '#lib/protocol/fhir/index/compile-own-param.ts';
import { ownParamsOf } from '#lib/protocol/fhir/index/search-params.ts';
import { resourceTypes, typeId, typeName } from '#lib/protocol/fhir/type-ids.ts';
import { hasWords, textSearchOf } from '#lib/protocol/fhir/words/text-search.ts';
import { reindexPage } from '../reindex-page.ts';
import { clearParams } from './clear-params.ts';
import { knowParams } from './know-params.ts';
import { ALL_WORK, tagsOf, type Work } from './settle-params.ts';
import { OF_ALL_TYPES } from './text-row.ts';

const BATCH = 200;
/** Of one project, before the next has its turn. */
const SLICE_MS = 10_000;

type Row = { number: number; type_id: number; state: string };

/**
 * Indexes what is stored by the search parameters that projects have made, and by its words, and drops what was indexed by those that are
 * over: beside the requests, each project in one process at a time, all of them in turns; what a killed process leaves the next goes on with.
 * Until it is done, searches with them are refused (`requireBuilt`).
 */
export async function indexParams(stopped?: AbortSignal): Promise<void> {
  for (const { name } of await listProgress<Work>(ALL_WORK)) {
    if (stopped?.aborted) return;
    const lease = await tryLease(name, 1);
    if (!lease) continue;
    try {
      await goOn(name, name.slice(ALL_WORK.length), stopped);
    } catch (err) {
      log.warn({ err, name }, 'search parameters of a project are not indexed yet');
    } finally {
      lease.release();
    }
  }
}

async function goOn(name: string, projectId: string, stopped?: AbortSignal): Promise<void> {
  let work = await readProgress<Work>(name);
  if (!work) return;
  const rows = await rowsOf(projectId);
  if (work.fence === undefined) {
    const begun = { ...work, fence: await now() };
    if (!(await advanceProgress(name, begun))) return;
    work = begun;
  }
  if (!(await isQuiet(work.fence!)) || !(await isKnownHere(projectId, rows))) return;
  const types = [...new Set(rows.flatMap(typesOf))].sort((a, b) => a - b);
  const until = performance.now() + SLICE_MS;
  while (performance.now() < until && !stopped?.aborted) {
    const started = performance.now();
    const next = await step(projectId, types, work);
    if (!next) return finish(name, projectId, work);
    // Something has changed meanwhile: it begins anew.
    if (!(await advanceProgress(name, next))) return;
    work = next;
    await pause((performance.now() - started) * pace.reindexRest);
  }
}

/** The words of a project are those of all types; once they are over there is nothing to look at. */
function typesOf({ type_id, state }: Row): number[] {
  if (type_id !== OF_ALL_TYPES) return [type_id];
  return state === 'building' ? resourceTypes().filter(hasWords).map(typeId) : [];
}

/** A page more; undefined when there is nothing left to look at. */
async function step(projectId: string, types: readonly number[], work: Work): Promise<Work | undefined> {
  const of = types.find((type) => type >= (work.at?.typeId ?? 0));
  if (of === undefined) return undefined;
  const after = work.at?.typeId === of ? work.at.id : '';
  const { last, looked } = await reindexPage(projectId, typeName(of), after, BATCH);
  const at = last === undefined ? { typeId: of + 1, id: '' } : { typeId: of, id: last };
  return { ...work, at, looked: work.looked + looked };
}

/** What was indexed by the numbers that are over is found by nobody: it goes before they do. */
async function finish(name: string, projectId: string, work: Work): Promise<void> {
  await clearParams(
    projectId,
    (await rowsOf(projectId)).filter(({ state }) => state === 'ended').map(({ number }) => number),
  );
  const known = await transaction(async (tx) => {
    await lockName(tx, `search-parameters:${projectId}`);
    if (!(await advanceProgress(name, work, tx))) return undefined;
    await runText(tx, READY, [projectId]);
    await runText(tx, OVER, [projectId]);
    await dropProgress(name, tx);
    return publishInvalidations(tx, tagsOf(projectId));
  });
  if (!known) return;
  dropLocally(tagsOf(projectId));
  await known();
  log.info({ projectId, looked: work.looked }, 'search parameters of a project are indexed');
}

const READY = `update search_parameter set state = 'ready' where project_id = $1::uuid and state = 'building'`;
/** The highest number stays. */
const OVER = `
  delete from search_parameter where project_id = $1::uuid and state = 'ended'
    and number < (select max(number) from search_parameter where project_id = $1::uuid)`;

function rowsOf(projectId: string): Promise<Row[]> {
  const text = `
    select number, type_id, state from search_parameter where project_id = $1::uuid and state <> 'ready' order by number`;
  return runText<Row>(db(), text, [projectId]);
}

async function now(q: Queryable = db()): Promise<number> {
  const [row] = await runText<{ ms: number }>(
    q,
    'select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms',
    [],
  );
  return row?.ms ?? 0;
}

/**
 * Whether everything that is written from now on is written by who knows of the change: no process can be deaf for longer than `pace.deafMs`, and
 * each transaction that began before is over. What they have stored is found by who looks at all rows from now on. Of a connection that has
 * another role, as the release before may have, nobody is told what it does: while there is one, it is not quiet.
 */
async function isQuiet(fence: number): Promise<boolean> {
  const [row] = await runText<{ quiet: boolean }>(db(), QUIET, [fence + pace.deafMs]);
  return row?.quiet === true;
}

const QUIET = `
  select clock_timestamp() >= to_timestamp($1::float8 / 1000) and not exists (
    select from pg_stat_activity where datname = current_database() and application_name = 'gatehouse'
      and pid <> pg_backend_pid() and (xact_start < to_timestamp($1::float8 / 1000) or state is null)) as quiet`;

async function isKnownHere(projectId: string, rows: readonly Row[]): Promise<boolean> {
  await knowParams(projectId);
  return rows.every(({ number, type_id, state }) => {
    if (type_id === OF_ALL_TYPES) return state !== 'building' || textSearchOf(projectId)?.number === number;
    return (
      state !== 'building' || ownParamsOf(typeName(type_id), projectId).some((param) => numberOf(param) === number)
    );
  });
}
