import { AppError } from '#lib/base/errors.ts';
import { fhirBase } from '#lib/base/fhir-base.ts';
import { takeTurns } from '#lib/base/turns.ts';
import { runText } from '#lib/infra/db/client.ts';
import { type Extracted, extract } from '#lib/protocol/fhir/index/extract.ts';
import { windowsOf } from '#lib/protocol/fhir/index/format.ts';
import { type SearchParam, searchParamsOf } from '#lib/protocol/fhir/index/search-params.ts';
import { hasTexts } from '#lib/protocol/fhir/index/texts-beside.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import type { Resource } from '#lib/protocol/fhir/types.ts';
import { wordIds } from '#lib/protocol/fhir/words/text-search.ts';
import { isSameJson, parseKept, storedDigits } from '#lib/protocol/json/json.ts';
import type { Write } from '../access/context.ts';
import { byWhom } from './by-whom.ts';
import { announce } from './feeds/announce.ts';
import { toIndexParams } from './index-params.ts';
import { isMeasured, toQuantities } from './indexes/quantity-params.ts';
import { knowParams } from './own-params/know-params.ts';
import { isErased, type Row, toColumns } from './row.ts';
import { UPDATE, UPDATE_MEASURED, UPDATE_WORDED } from './statements.ts';
import { isWorded, toWordRows } from './words/word-rows.ts';

/**
 * Stores the next version of a locked row and returns it; the same row when nothing changed, and nothing comes with it (`brings`). Also brings back a deleted one.
 * Throws 409 when the row was not locked and somebody else was faster, and 410 for one that was erased.
 */
export async function updateRow(
  w: Write,
  current: Row,
  resource: Resource,
  author: string | undefined,
  brings = false,
): Promise<Row> {
  requireUnerased(current);
  const turn = takeTurns();
  const columns = toColumns(resource);
  await turn();
  if (!brings && !current.deleted && sameContent(current, columns)) return current;
  const { projectId, type, id } = current;
  const version = current.version + 1;
  await turn();
  await knowParams(projectId, w.tx);
  const index = extract(projectId, { ...resource, id }, fhirBase());
  const by = byWhom(w, author);
  const now = new Date().toISOString();
  const params = [
    projectId,
    typeId(type),
    id,
    version,
    now,
    by,
    columns.meta,
    columns.content,
    ...toIndexParams(index),
    paramsOf(type, projectId),
  ];
  const { text, more } = besides({ plain: UPDATE, measured: UPDATE_MEASURED, worded: UPDATE_WORDED }, current, index);
  const [stored] = await runText<{ last_updated: string }>(w.tx, text, [...params, ...more]);
  if (!stored) throw new AppError('conflict', 'The resource was changed meanwhile; read it again');
  const lastUpdated = new Date(stored.last_updated);
  const row = { ...current, ...columns, version, author: by, deleted: false, lastUpdated };
  await announce(w, current.deleted ? 'create' : 'update', [{ row, index: () => index }]);
  return row;
}

type Texts = { plain: string; measured: string; worded: string };

/** Which statement replaces what a row is found by, and the parameters for its numbers and words. */
export function besides(
  { plain, measured, worded }: Texts,
  { projectId, type, id }: Pick<Row, 'projectId' | 'type' | 'id'>,
  index: Extracted,
): { text: string; more: string[] } {
  const isText = isWorded(type, projectId);
  if (!isText && !isMeasured(type, projectId)) return { text: plain, more: [] };
  const more = [toQuantities([{ id, ...index }])];
  if (!isText) return { text: measured, more };
  return { text: worded, more: [...more, toWordRows(projectId, [{ id, words: index.words() }])] };
}

/** Throws 410 for what was erased. */
export function requireUnerased(current: Row): void {
  if (isErased(current)) throw new AppError('gone', 'Erased: nothing has this id again');
}

/** The numbers of a type's search parameters, as an array literal: whose index rows a new version replaces. */
export function paramsOf(type: string, projectId: string): string {
  const ids = searchParamsOf(type, projectId).flatMap((param) =>
    hasMore(param) ? [param.id, windowsOf(param)] : [param.id],
  );
  return `{${[...ids, ...Object.values(wordIds(type, projectId) ?? {})].join(',')}}`;
}

/** Of references there are texts that a release before has written. */
function hasMore(param: SearchParam): boolean {
  return param.type === 'string' || param.type === 'reference' || hasTexts(param);
}

/** Whether it says so already. */
export function sameContent(current: Row, columns: { meta: string | null; content: string }): boolean {
  return sameJson(current.content, columns.content) && sameJson(current.meta, columns.meta);
}

/** jsonb keeps neither the order of keys nor exponents. */
function sameJson(a: string | null, b: string | null): boolean {
  return a === b || (a !== null && b !== null && isSameJson(parseKept(a), parseKept(b), storedDigits));
}
