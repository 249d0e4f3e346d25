import { AppError } from '#lib/base/errors.ts';
import { fhirBase } from '#lib/base/fhir-base.ts';
import { takeTurns } from '#lib/base/turns.ts';
import { runText } from '#lib/infra/db/client.ts';
import { toTextArray } from '#lib/infra/db/text-array.ts';
import { extract } from '#lib/protocol/fhir/index/extract.ts';
import type { Resource, Stored } from '#lib/protocol/fhir/types.ts';
import type { Write } from '../../access/context.ts';
import { byWhom } from '../by-whom.ts';
import { type Indexed, toIndexed } from '../create-row.ts';
import { announce, announceDeleted } from '../feeds/announce.ts';
import type { Op } from '../feeds/read-subscription.ts';
import { isMeasured } from '../indexes/quantity-params.ts';
import { knowParams } from '../own-params/know-params.ts';
import { type Row, toColumns } from '../row.ts';
import { paramsOf, requireUnerased, sameContent } from '../update-row.ts';
import { isWorded } from '../words/word-rows.ts';
import { insertMany, paramsOfNext, quantitiesOf, toArray, toIds, wordsOfEach } from './params-of-many.ts';
import { deletedTogether, type Has, updatedTogether } from './statements-of-many.ts';

/** Of one statement: its parameters stand in memory as texts, and putting them together keeps everybody else waiting. */
const MOST_ROWS = 500;
const MOST_CHARACTERS = 2 * 1024 * 1024;

type By = string | undefined;

/** As `createRow`, of many: one statement for some hundred of them. `resources` have the ids that they shall have. Each row at its place. */
export async function createRows(
  w: Write,
  projectId: string,
  resources: readonly Stored<Resource>[],
  author: By,
): Promise<Row[]> {
  const turn = takeTurns();
  const items: Indexed[] = [];
  await knowParams(projectId, w.tx);
  for (const resource of resources) {
    await turn();
    items.push(toIndexed(w, projectId, resource, { author, id: resource.id }));
  }
  for (const chunk of chunksOf(items)) {
    const { parts, params } = insertMany(chunk);
    await runText(w.tx, `with ${parts} select 1 as stored`, params);
    await turn();
  }
  await announceEach(w, 'create', items);
  return items.map(({ row }) => row);
}

/** A locked row, and what it shall be. */
export type Next = { current: Row; resource: Resource };

/** As `updateRow`, of many of one type: each next version at its place, the same row where nothing changed. */
export async function updateRows(
  w: Write,
  projectId: string,
  type: string,
  nexts: readonly Next[],
  author: By,
): Promise<Row[]> {
  const turn = takeTurns();
  const results: Row[] = [];
  const items: Indexed[] = [];
  const revived: Indexed[] = [];
  await knowParams(projectId, w.tx);
  for (const { current, resource } of nexts) {
    await turn();
    requireUnerased(current);
    const columns = toColumns(resource);
    if (!current.deleted && sameContent(current, columns)) {
      results.push(current);
      continue;
    }
    const index = extract(projectId, { ...resource, id: current.id }, fhirBase());
    const changed = {
      version: current.version + 1,
      lastUpdated: new Date(),
      deleted: false,
      author: byWhom(w, author),
    };
    const row = { ...current, ...columns, ...changed };
    items.push({ row, index });
    if (current.deleted) revived.push(items.at(-1)!);
    results.push(row);
  }
  const has = hasBesides(type, projectId);
  for (const chunk of chunksOf(items)) {
    const ids = chunk.map(({ row }) => row.id);
    const numbers = has === 'neither' ? [] : [quantitiesOf(chunk)];
    const words = has === 'words' ? [wordsOfEach(chunk)] : [];
    const params = [projectId, toIds(ids), ...paramsOfNext(chunk), paramsOf(type, projectId), ...numbers, ...words];
    const times = toTimes(await runText<Told>(w.tx, updatedTogether(type, has), params), ids);
    for (const { row } of chunk) row.lastUpdated = times.get(row.id)!;
    await turn();
  }
  await announceEach(w, 'create', revived);
  await announceEach(
    w,
    'update',
    items.filter((item) => !revived.includes(item)),
  );
  return results;
}

/** As `deleteRow`, of many of one type, locked. */
export async function deleteRows(
  w: Write,
  projectId: string,
  type: string,
  rows: readonly Row[],
  author: By,
): Promise<void> {
  await knowParams(projectId, w.tx);
  for (let at = 0; at < rows.length; at += MOST_ROWS) {
    const chunk = rows.slice(at, at + MOST_ROWS);
    const ids = chunk.map(({ id }) => id);
    const now = new Date().toISOString();
    const params = [
      projectId,
      toIds(ids),
      toArray(chunk.map(({ version }) => version + 1)),
      toArray(ids.map(() => now)),
      toTextArray(ids.map(() => byWhom(w, author))),
      paramsOf(type, projectId),
    ];
    toTimes(await runText<Told>(w.tx, deletedTogether(type, hasBesides(type, projectId)), params), ids);
  }
  await announceDeleted(w, rows);
}

function hasBesides(type: string, projectId: string): Has {
  if (isWorded(type, projectId)) return 'words';
  return isMeasured(type, projectId) ? 'numbers' : 'neither';
}

/** Of several types, as they come. */
async function announceEach(w: Write, op: Op, items: readonly Indexed[]): Promise<void> {
  for (const some of Map.groupBy(items, ({ row }) => row.type).values())
    await announce(
      w,
      op,
      some.map(({ row, index }) => ({ row, index: () => index })),
    );
}

type Told = { stored: string };

/** When each was stored. Throws 409 where one was not locked and somebody else was faster. */
function toTimes([told]: Told[], ids: readonly string[]): Map<string, Date> {
  const times = Object.entries(JSON.parse(told?.stored ?? '{}') as Record<string, string>);
  if (times.length !== ids.length) throw new AppError('conflict', 'A resource was changed meanwhile; read it again');
  return new Map(times.map(([id, time]) => [id, new Date(time)]));
}

function* chunksOf(items: readonly Indexed[]): Generator<Indexed[]> {
  let chunk: Indexed[] = [];
  let size = 0;
  for (const item of items) {
    const length = (item.row.content?.length ?? 0) + (item.row.meta?.length ?? 0);
    if (chunk.length > 0 && (chunk.length >= MOST_ROWS || size + length > MOST_CHARACTERS)) {
      yield chunk;
      chunk = [];
      size = 0;
    }
    chunk.push(item);
    size += length;
  }
  if (chunk.length > 0) yield chunk;
}
