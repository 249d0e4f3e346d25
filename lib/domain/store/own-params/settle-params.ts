import { AppError } from '#lib/base/errors.ts';
import { newId } from '#lib/base/ids.ts';
import { type Queryable, runText } from '#lib/infra/db/client.ts';
import { lockName } from '#lib/infra/db/lock-name.ts';
import { keepProgress } from '#lib/infra/db/upkeep.ts';
import { type Definition, readDefinitions } from '#lib/protocol/fhir/index/compile-own-param.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import { isSameJson } from '#lib/protocol/json/json.ts';
import { policiesTag, searchParametersTag, subscriptionsTag } from '../../access/cache-tags.ts';
import type { Write } from '../../access/context.ts';
import { type Row, toResource } from '../row.ts';
import { changesParams } from './know-params.ts';
import { requireUnlimited } from './require-unlimited.ts';
import { OF_ALL_TYPES } from './text-row.ts';

const MOST = 100;
/** Each is looked for in each resource of the type. */
const MOST_OF_TYPE = 30;
/** Ended, and not cleared away yet. */
const MOST_WAITING = 500;
const WORK = 'search-parameters ';

/** Under which name it is known that something is to be indexed (lib/infra/db/upkeep.ts). */
export function workOf(projectId: string): string {
  return WORK + projectId;
}

export const ALL_WORK = WORK;

/** Which projects have work is looked for across all of them; `run` is another with every change, with which it begins anew. */
export type Work = { run: string; fence?: number; at?: { typeId: number; id: string }; looked: number };

type Kept = { number: number; id: string; typeId: number; code: string; definition: Told; state: string };
/** What decides what is indexed. */
type Told = Pick<Definition, 'type' | 'expression' | 'targets'>;
type Wanted = Pick<Kept, 'typeId' | 'code' | 'definition'> & { base: string };

/**
 * What a SearchParameter says from now on, after each change of it, in its transaction: a definition that is new gets a number that no other has had,
 * and is indexed in the background. Throws 422 for what cannot be honoured, and 409 for a code that is taken.
 */
export async function settleParams(w: Write, row: Row): Promise<void> {
  const { projectId, id } = row;
  const wanted = row.deleted ? [] : readDefinitions(toResource(row)).map(toWanted);
  await lockName(w.tx, `search-parameters:${projectId}`);
  const kept = await list(w.tx, projectId);
  const current = kept.filter(({ state }) => state !== 'ended');
  const own = current.filter((one) => one.id === id);
  const fresh = wanted.filter((one) => !own.some((known) => isSame(known, one)));
  const over = own.filter((known) => !wanted.some((one) => isSame(known, one)));
  if (fresh.length + over.length === 0) return;
  const codes = [...fresh, ...over].map(({ code }) => code);
  await requireUnlimited(w, projectId, [...new Set(codes)]);
  const others = current.filter((one) => !over.includes(one) && one.typeId !== OF_ALL_TYPES);
  requireFewWaiting('SearchParameter.status', kept.length - current.length + over.length);
  requireRoom(others, fresh);
  changesParams(w.tx);
  if (over.length > 0) await end(w.tx, projectId, over);
  const last = kept.at(-1)?.number ?? 0;
  for (const [at, one] of fresh.entries()) await insert(w.tx, [projectId, last + 1 + at, id], one);
  await keepProgress(workOf(projectId), { run: newId(), looked: 0 } satisfies Work, w.tx);
  for (const tag of tagsOf(projectId)) w.invalidate(tag);
}

/** What stands on a project's search parameters. */
export function tagsOf(projectId: string): string[] {
  return [searchParametersTag(projectId), policiesTag(projectId), subscriptionsTag(projectId)];
}

function toWanted({ base, code, type, expression, targets }: Definition): Wanted {
  return { base, typeId: typeId(base), code, definition: { type, expression, targets } };
}

function isSame(known: Kept, one: Wanted): boolean {
  return known.typeId === one.typeId && known.code === one.code && isSameJson(known.definition, one.definition);
}

/** Of a project, with those that this change ends. Throws 422. */
export function requireFewWaiting(expression: string, waiting: number): void {
  if (waiting <= MOST_WAITING) return;
  throw new AppError('business-rule', 'Too many changes wait to be indexed: come back when they are', { expression });
}

function requireRoom(others: readonly Kept[], fresh: readonly Wanted[]): void {
  for (const one of fresh) {
    const taken = others.find((other) => other.typeId === one.typeId && other.code === one.code);
    if (taken) {
      const text = `SearchParameter/${taken.id} has the code ${one.code} of ${one.base}`;
      throw new AppError('duplicate', text, { expression: 'SearchParameter.code' });
    }
    const ofType = [...others, ...fresh].filter((other) => other.typeId === one.typeId).length;
    if (ofType > MOST_OF_TYPE) throw tooMany(`${MOST_OF_TYPE} search parameters of ${one.base} are active at most`);
  }
  if (others.length + fresh.length > MOST) throw tooMany(`A project has ${MOST} active search parameters at most`);
}

function tooMany(text: string): AppError {
  return new AppError('business-rule', text, { expression: 'SearchParameter.status' });
}

async function list(tx: Queryable, projectId: string): Promise<Kept[]> {
  const text = `
    select number, id, type_id as "typeId", code, definition, state from search_parameter where project_id = $1::uuid order by number`;
  return runText<Kept>(tx, text, [projectId]);
}

async function end(tx: Queryable, projectId: string, over: readonly Kept[]): Promise<void> {
  const text = `update search_parameter set state = 'ended' where project_id = $1::uuid and number = any($2::int[])`;
  await runText(tx, text, [projectId, `{${over.map(({ number }) => number).join(',')}}`]);
}

async function insert(
  tx: Queryable,
  place: [projectId: string, number: number, id: string],
  { typeId: type, code, definition }: Wanted,
): Promise<void> {
  const text = `
    insert into search_parameter (project_id, number, id, type_id, code, definition, state)
    values ($1::uuid, $2::int, $3, $4::smallint, $5, $6::text::jsonb, 'building')`;
  await runText(tx, text, [...place, type, code, JSON.stringify(definition)]);
}
