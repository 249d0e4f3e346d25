import { AppError } from '#lib/base/errors.ts';
import { fhirBase } from '#lib/base/fhir-base.ts';
import { newId } from '#lib/base/ids.ts';
import { runText } from '#lib/infra/db/client.ts';
import { type Extracted, extract } from '#lib/protocol/fhir/index/extract.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import type { Resource } from '#lib/protocol/fhir/types.ts';
import type { Write } from '../access/context.ts';
import { byWhom } from './by-whom.ts';
import { announce } from './feeds/announce.ts';
import { toIndexParams } from './index-params.ts';
import { toQuantities } from './indexes/quantity-params.ts';
import { knowParams } from './own-params/know-params.ts';
import { type Row, toColumns } from './row.ts';
import { INSERT, INSERT_MEASURED, INSERT_WORDED, INSERTED } from './statements.ts';
import { toWordRows } from './words/word-rows.ts';

export type NewRowOptions = { author: string | undefined; id?: string };

/** Stores a new resource with its first history entry and its index. `resource` is valid; its id and meta are the store's to give. */
export async function createRow(w: Write, projectId: string, resource: Resource, options: NewRowOptions): Promise<Row> {
  await knowParams(projectId, w.tx);
  const { row, index, text, params } = toNewRow(w, projectId, resource, options);
  const [stored] = await runText<{ last_updated: string }>(w.tx, text, params);
  if (!stored) throw new AppError('exception', 'The resource was not stored');
  await announce(w, 'create', [{ row, index: () => index }]);
  return row;
}

/** Parts of a WITH that are written with a new row, in its own statement: their parameters come after those of the row. */
export type Besides = { parts: string; params: readonly unknown[] };

/** As `createRow`, with what belongs to it. Not of a type that has numbers or words to search for. */
export async function createRowWith(
  w: Write,
  projectId: string,
  resource: Resource,
  options: NewRowOptions,
  besides: Besides,
): Promise<Row> {
  const { row, text: alone, params } = toNewRow(w, projectId, resource, options);
  if (alone !== INSERT) throw new Error(`A ${row.type} is not stored with what belongs to it`);
  const text = `with ${INSERTED}, ${besides.parts} select last_updated from r`;
  await runText(w.tx, text, [...params, ...besides.params]);
  return row;
}

/** The row as it will be, and the statement that stores it. */
export function toNewRow(
  by: Pick<Write, 'actor'>,
  projectId: string,
  resource: Resource,
  options: NewRowOptions,
): { row: Row; index: Extracted; text: string; params: unknown[] } {
  const { row, index } = toIndexed(by, projectId, resource, options);
  const { type, id, version, lastUpdated, author, meta, content } = row;
  const known = [projectId, typeId(type), id, version, lastUpdated.toISOString(), author, meta, content];
  const params = [...known, ...toIndexParams(index)];
  const words = index.words();
  if (index.quantities.length + words.length === 0) return { row, index, text: INSERT, params };
  params.push(toQuantities([{ id, ...index }]));
  if (words.length === 0) return { row, index, text: INSERT_MEASURED, params };
  return { row, index, text: INSERT_WORDED, params: [...params, toWordRows(projectId, [{ id, words }])] };
}

/** A row as it will be, and what it is found by. */
export type Indexed = { row: Row; index: Extracted };

export function toIndexed(
  by: Pick<Write, 'actor'>,
  projectId: string,
  resource: Resource,
  options: NewRowOptions,
): Indexed {
  const id = options.id ?? newId();
  const { resourceType: type } = resource;
  const { meta, content } = toColumns(resource);
  const author = byWhom(by, options.author);
  const index = extract(projectId, { ...resource, id }, fhirBase());
  // Too many are refused before anything is stored together with others.
  index.words();
  return {
    row: { projectId, type, id, version: 1, lastUpdated: new Date(), deleted: false, author, meta, content },
    index,
  };
}
