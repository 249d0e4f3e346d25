import { type SQL, sql } from 'drizzle-orm';
import { fhirBase } from '#lib/base/fhir-base.ts';
import { log } from '#lib/base/log.ts';
import { db, type Queryable, runSql, runText } from '#lib/infra/db/client.ts';
import { toTextArray } from '#lib/infra/db/text-array.ts';
import { type Extracted, extract } from '#lib/protocol/fhir/index/extract.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import { toIndexParams } from './index-params.ts';
import { isMeasured } from './indexes/quantity-params.ts';
import { readQuantities, toQuantityTexts } from './indexes/read-quantities.ts';
import { knowParams } from './own-params/know-params.ts';
import { LIGHT_ONLY, PAGE_BYTES, type WeighedRow, WHOLE, withHeavy } from './page-weight.ts';
import { fromRaw, type Row, toResource } from './row.ts';
import { REINDEX, REINDEX_MEASURED, REINDEX_WORDED } from './statements.ts';
import { besides, paramsOf } from './update-row.ts';
import { readWords } from './words/read-words.ts';
import { isWorded } from './words/word-rows.ts';

export type Looked = {
  looked: number;
  /** Their index was not what it should be. */
  changed: number;
  /** They were changed meanwhile, and so indexed. */
  overtaken: number;
  /** Today's extractor does not take them: they stay as they are. */
  refused: number;
};

type Indexed = WeighedRow & { tokens: string; sort_ms: number | null; end_ms: number | null };
type StringRow = { id: string; param: number; value: string };
type DateRow = { id: string; param: number; lo: number; hi: number };

const KNOWN = sql.raw(
  `r.id, r.version, r.last_updated, r.author, r.tokens::text as tokens, ${msOf('r.sort_date')} as sort_ms, ${msOf('r.sort_end')} as end_ms`,
);

/** The next resources of a type, by their ids after `after`. `last`: up to which; undefined when there were none. */
export async function reindexPage(
  projectId: string,
  type: string,
  after: string,
  most: number,
): Promise<Looked & { last: string | undefined }> {
  const found = await select(projectId, type, LIGHT_ONLY, sql`r.id > ${after} order by r.id limit ${most}`);
  const { rows, taken } = await withHeavy(found, PAGE_BYTES, (heavy) =>
    select(projectId, type, WHOLE, sql`r.id = any(${toTextArray(heavy.map(({ id }) => id))}::text[])`),
  );
  await knowParams(projectId);
  const indexed = await readIndex(projectId, type, rows);
  const counts = { looked: taken, changed: 0, overtaken: taken - rows.length, refused: 0 };
  for (const raw of rows) {
    const row = fromRaw(projectId, type, raw);
    const wanted = extractFrom(row);
    if (!wanted) counts.refused += 1;
    else if (toText(wanted) !== indexed(raw))
      counts[(await reindexRow(db(), row, wanted)) ? 'changed' : 'overtaken'] += 1;
  }
  return { ...counts, last: found[taken - 1]?.id };
}

/** False when this version is no longer the current one. */
export async function reindexRow(q: Queryable, row: Row, wanted: Extracted): Promise<boolean> {
  const { projectId, type, id, version } = row;
  const params = [projectId, typeId(type), id, version, ...toIndexParams(wanted), paramsOf(type, projectId)];
  const { text, more } = besides({ plain: REINDEX, measured: REINDEX_MEASURED, worded: REINDEX_WORDED }, row, wanted);
  return (await runText(q, text, [...params, ...more])).length > 0;
}

function select(projectId: string, type: string, texts: SQL, which: SQL): Promise<Indexed[]> {
  return runSql<Indexed>(
    db(),
    sql`select ${KNOWN}, ${texts} from resource r
      where r.project_id = ${projectId}::uuid and r.type_id = ${sql.raw(String(typeId(type)))} and not r.deleted and ${which}`,
  );
}

/** An old resource may hold more than is taken today. */
function extractFrom(row: Row): Extracted | undefined {
  try {
    const found = extract(row.projectId, toResource(row), fhirBase());
    found.words();
    return found;
  } catch (err) {
    log.warn({ err, projectId: row.projectId, type: row.type, id: row.id }, 'a resource could not be indexed');
    return undefined;
  }
}

/** What stands in the index of each row, as `toText` says it. Ids are those of one type only with their parameters. */
async function readIndex(projectId: string, type: string, rows: readonly Indexed[]): Promise<(row: Indexed) => string> {
  const own = sql`x.project_id = ${projectId}::uuid and x.id = any(${toTextArray(rows.map(({ id }) => id))}::text[])
    and x.param = any(${paramsOf(type, projectId)}::int[])`;
  const [strings, dates, quantitiesOf, wordsOf] = await Promise.all([
    db().execute<StringRow>(sql`select x.id, x.param, x.value from ix_string x where ${own}`),
    db().execute<DateRow>(
      sql`select x.id, x.param, ${sql.raw(msOf('x.lo'))} as lo, ${sql.raw(msOf('x.hi'))} as hi from ix_date x where ${own}`,
    ),
    isMeasured(type, projectId) ? readQuantities(own) : () => [],
    isWorded(type, projectId) ? readWords(own) : () => [],
  ]);
  const [stringsOf, datesOf] = [Map.groupBy(strings, ({ id }) => id), Map.groupBy(dates, ({ id }) => id)];
  return ({ id, tokens, sort_ms, end_ms }) =>
    toText({
      tokens: tokens === '{}' ? [] : tokens.slice(1, -1).split(',').map(BigInt),
      strings: stringsOf.get(id) ?? [],
      dates: (datesOf.get(id) ?? []).map(({ param, lo, hi }) => ({ param, lo: new Date(lo), hi: new Date(hi) })),
      quantities: quantitiesOf(id),
      words: () => wordsOf(id),
      sortDate: sort_ms === null ? undefined : new Date(sort_ms),
      sortEnd: Number.isFinite(end_ms) ? new Date(end_ms!) : undefined,
    });
}

/** Text of PostgreSQL's would be read by rules of its own: years have four digits, or stand before Christ. */
function msOf(column: string): string {
  return `(extract(epoch from ${column}) * 1000)::float8`;
}

/** The same text for the same entries, in whichever order. */
function toText({ tokens, strings, dates, quantities, words, sortDate, sortEnd }: Extracted): string {
  return JSON.stringify([
    [...new Set(tokens)].map(String).sort(),
    strings.map(({ param, value }) => `${param} ${value}`).sort(),
    dates.map(({ param, lo, hi }) => `${param} ${lo.getTime()} ${hi.getTime()}`).sort(),
    toQuantityTexts(quantities),
    words()
      .map(({ param, text }) => `${param} ${text}`)
      .sort(),
    sortDate ? [sortDate.getTime(), sortEnd?.getTime() ?? null] : null,
  ]);
}
