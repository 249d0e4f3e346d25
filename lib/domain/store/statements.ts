import { WORD_IDS_PER_TYPE } from '#lib/protocol/fhir/words/text-search.ts';

/**
 * One statement a change, so that the row, its history and its index can never disagree and a change is one round trip.
 * $1 project, $2 type, $3 id, $4 version, $5 last_updated, $6 author, $7 meta, $8 content, $9 tokens, $10 sort_date and sort_end,
 * $11 $12 strings (param, value), $13 $14 $15 dates (param, lo, hi). What has numbers besides has a statement of its own, so that all others cost
 * as little as before: its last parameter is what `quantitiesAt` takes.
 */
const INDEX_ROWS = indexRows(11);

const COLUMNS = 'project_id, type_id, id, version, last_updated, author, meta, content, tokens, sort_date, sort_end';
const VALUES =
  '$1::uuid, $2::smallint, $3, $4::int, $5::timestamptz, $6, $7::text::jsonb, $8::text::jsonb, $9::bigint[], ($10::timestamptz[])[1], ($10::timestamptz[])[2]';
const HISTORY = 'project_id, type_id, id, version, op, last_updated, author, meta, content';

/** Without its zone, because Citus refuses to update a row from what the session's zone may change. */
export const NEXT_INSTANT = `(last_updated at time zone 'UTC' + interval '1 millisecond') at time zone 'UTC'`;

/** Without an end, so that what belongs to it can be written in the same statement. */
export const INSERTED = `
  r as (insert into resource (${COLUMNS}) values (${VALUES}) returning last_updated),
  h as (insert into resource_history (${HISTORY}) select $1::uuid, $2::smallint, $3, $4::int, 'create', last_updated, $6, $7::text, $8::text from r),
  ${INDEX_ROWS}`;
export const INSERT = `with ${INSERTED} select last_updated from r`;
export const INSERT_MEASURED = `with ${INSERTED}, ${quantitiesAt(16, 'r')} select last_updated from r`;
/** With numbers and words. */
export const INSERT_WORDED = `with ${INSERTED}, ${quantitiesAt(16, 'r')}, ${wordsAt(17, 'r')} select last_updated from r`;

/**
 * Several new rows of one project, at the first version. $1 project; of each row $2 type, $3 id, $4 last_updated, $5 author, $6 meta,
 * $7 content, $8 tokens, $9 sort_date, $10 sort_end; of each string $11 id, $12 param, $13 value; of each date $14 id, $15 param, $16 lo, $17 hi.
 */
export const INSERTED_TOGETHER = `
  r as (insert into resource (${COLUMNS})
    select $1::uuid, t, i, 1, at, a, m::jsonb, c::jsonb, k::bigint[], d, e
    from unnest($2::smallint[], $3::text[], $4::timestamptz[], $5::text[], $6::text[], $7::text[], $8::text[], $9::timestamptz[], $10::timestamptz[])
      as n(t, i, at, a, m, c, k, d, e)),
  h as (insert into resource_history (${HISTORY})
    select $1::uuid, t, i, 1, 'create', at, a, m, c
    from unnest($2::smallint[], $3::text[], $4::timestamptz[], $5::text[], $6::text[], $7::text[]) as n(t, i, at, a, m, c)),
  s as (insert into ix_string (project_id, param, value, id)
    select $1::uuid, p, v, i from unnest($11::text[], $12::int[], $13::text[]) as n(i, p, v)),
  d as (insert into ix_date (project_id, param, lo, hi, id)
    select $1::uuid, p, l, h, i from unnest($14::text[], $15::int[], $16::timestamptz[], $17::timestamptz[]) as n(i, p, l, h))`;

/** As `INSERTED_TOGETHER`, with numbers ($18). */
export const MEASURED_TOGETHER = `${INSERTED_TOGETHER}, ${quantitiesAt(18)}`;
/** With words ($19) besides. */
export const WORDED_TOGETHER = `${MEASURED_TOGETHER}, ${wordsAt(19)}`;

/** Only from the version before $4; time never runs backwards within a resource. */
const UPDATED = `
  with r as (update resource set version = $4::int, last_updated = greatest($5::timestamptz, ${NEXT_INSTANT}), deleted = false,
      author = $6, meta = $7::text::jsonb, content = $8::text::jsonb, tokens = $9::bigint[], sort_date = ($10::timestamptz[])[1],
      sort_end = ($10::timestamptz[])[2]
    where project_id = $1::uuid and type_id = $2::smallint and id = $3 and version = $4::int - 1 returning last_updated),
  h as (insert into resource_history (${HISTORY}) select $1::uuid, $2::smallint, $3, $4::int, 'update', last_updated, $6, $7::text, $8::text from r),
  xs as (delete from ix_string using r where project_id = $1::uuid and id = $3 and param = any($16::int[])),
  xd as (delete from ix_date using r where project_id = $1::uuid and id = $3 and param = any($16::int[])),
  ${INDEX_ROWS}`;
export const UPDATE = `${UPDATED} select last_updated from r`;
/** Of a type that may have numbers ($17). */
const UPDATED_MEASURED = `${UPDATED},
  xq as (delete from ix_quantity using r where project_id = $1::uuid and id = $3 and param = any($16::int[])),
  ${quantitiesAt(17, 'r')}`;
export const UPDATE_MEASURED = `${UPDATED_MEASURED} select last_updated from r`;
/** Of a type that may have words ($18), too. */
export const UPDATE_WORDED = `${UPDATED_MEASURED},
  xw as (delete from ix_words using r where project_id = $1::uuid and id = $3 and param = any($16::int[])),
  ${wordsAt(18, 'r')} select last_updated from r`;

/** $1 project, $2 type, $3 id, $4 version, $5 last_updated, $6 author, $7 params of the type. */
const DELETED = `
  with r as (update resource set version = $4::int, last_updated = greatest($5::timestamptz, ${NEXT_INSTANT}), deleted = true,
      author = $6, meta = null, content = null, tokens = '{}', sort_date = null, sort_end = null
    where project_id = $1::uuid and type_id = $2::smallint and id = $3 and version = $4::int - 1 and not deleted returning last_updated),
  h as (insert into resource_history (${HISTORY}) select $1::uuid, $2::smallint, $3, $4::int, 'delete', last_updated, $6, null, null from r),
  xs as (delete from ix_string using r where project_id = $1::uuid and id = $3 and param = any($7::int[])),
  xd as (delete from ix_date using r where project_id = $1::uuid and id = $3 and param = any($7::int[]))`;
export const DELETE = `${DELETED} select last_updated from r`;
const DELETED_MEASURED = `${DELETED},
  xq as (delete from ix_quantity using r where project_id = $1::uuid and id = $3 and param = any($7::int[]))`;
export const DELETE_MEASURED = `${DELETED_MEASURED} select last_updated from r`;
export const DELETE_WORDED = `${DELETED_MEASURED},
  xw as (delete from ix_words using r where project_id = $1::uuid and id = $3 and param = any($7::int[]))
  select last_updated from r`;

/** How a grave says that what lies in it was erased (`isErased`). */
const ERASED = `'{"erased":true}'`;

/**
 * Rows of one type, with all of their versions: what is left is a grave, and in its history that alone. A name of a Binary is found wherever a version
 * said it, and words under whatever number they were indexed. $1 project, $2 type, $3 ids, $4 last_updated, $5 author, $6 params of the type.
 */
export const ERASE = `
  with r as (update resource set version = version + 1, last_updated = greatest($4::timestamptz, ${NEXT_INSTANT}), deleted = true,
      author = $5, meta = ${ERASED}::jsonb, content = null, tokens = '{}', sort_date = null, sort_end = null
    where project_id = $1::uuid and type_id = $2::smallint and id = any($3::text[]) and not (deleted and meta is not null)
    returning id, version, last_updated),
  h as (insert into resource_history (${HISTORY})
    select $1::uuid, $2::smallint, id, version, 'delete', last_updated, $5, ${ERASED}, null from r),
  v as (delete from resource_history where project_id = $1::uuid and type_id = $2::smallint and id = any($3::text[])
      and not (op = 'delete' and meta is not null) returning content),
  xs as (delete from ix_string where project_id = $1::uuid and id = any($3::text[]) and param = any($6::int[])),
  xd as (delete from ix_date where project_id = $1::uuid and id = any($3::text[]) and param = any($6::int[])),
  xq as (delete from ix_quantity where project_id = $1::uuid and id = any($3::text[]) and param = any($6::int[])),
  xw as (delete from ix_words
    where project_id = $1::uuid and id = any($3::text[]) and param % ${WORD_IDS_PER_TYPE} = $2::smallint)
  select (select count(*) from r)::int as rows, (select count(*) from v)::int as versions,
    (select coalesce(json_agg(distinct m.found[1]), '[]') from v, regexp_matches(v.content, 'Binary/([0-9a-fA-F-]{36})', 'g') as m (found))::text as binaries`;

/**
 * The index of a version that stays as it is. Nothing when it is no longer the current one: whoever changed it has indexed it. Who changes a
 * row locks it in a statement before, and so sees, and replaces, what this one wrote.
 * $1 project, $2 type, $3 id, $4 version, $5 tokens, $6 sort_date and sort_end, $7 $8 strings, $9 $10 $11 dates, $12 params of the type.
 */
const REINDEXED = `
  with r as (update resource set tokens = $5::bigint[], sort_date = ($6::timestamptz[])[1],
      sort_end = ($6::timestamptz[])[2]
    where project_id = $1::uuid and type_id = $2::smallint and id = $3 and version = $4::int and not deleted returning last_updated),
  xs as (delete from ix_string using r where project_id = $1::uuid and id = $3 and param = any($12::int[])),
  xd as (delete from ix_date using r where project_id = $1::uuid and id = $3 and param = any($12::int[])),
  ${indexRows(7)}`;
export const REINDEX = `${REINDEXED} select last_updated from r`;
const REINDEXED_MEASURED = `${REINDEXED},
  xq as (delete from ix_quantity using r where project_id = $1::uuid and id = $3 and param = any($12::int[])),
  ${quantitiesAt(13, 'r')}`;
export const REINDEX_MEASURED = `${REINDEXED_MEASURED} select last_updated from r`;
export const REINDEX_WORDED = `${REINDEXED_MEASURED},
  xw as (delete from ix_words using r where project_id = $1::uuid and id = $3 and param = any($12::int[])),
  ${wordsAt(14, 'r')} select last_updated from r`;

/** The numbers of one or several rows, as `toQuantities` writes them; only where there is the row of `from`. */
export function quantitiesAt(at: number, from = ''): string {
  return `q as (insert into ix_quantity (project_id, param, key, tags, lo, hi, base, base_lo, base_hi, id)
    select $1::uuid, p, k, t, l, h, b, bl, bh, i from ${from}${from && ', '}jsonb_to_recordset($${at}::text::jsonb)
      as n(p int, k bigint, t bigint[], l float8, h float8, b bigint, bl float8, bh float8, i text))`;
}

/** The words of one or several rows, as `toWordRows` writes them; only where there is the row of `from`. */
export function wordsAt(at: number, from = ''): string {
  return `w as (insert into ix_words (project_id, param, id, words, text)
    select $1::uuid, p, i, w, x from ${from}${from && ', '}jsonb_to_recordset($${at}::text::jsonb) as n(p int, i text, w bigint[], x text))`;
}

function indexRows(first: number): string {
  const [param, value, dateParam, lo, hi] = [0, 1, 2, 3, 4].map((at) => `$${first + at}`);
  return `
  s as (insert into ix_string (project_id, param, value, id)
    select $1::uuid, p, v, $3 from r, unnest(${param}::int[], ${value}::text[]) as t(p, v)),
  d as (insert into ix_date (project_id, param, lo, hi, id)
    select $1::uuid, p, l, h, $3 from r, unnest(${dateParam}::int[], ${lo}::timestamptz[], ${hi}::timestamptz[]) as t(p, l, h))`;
}
