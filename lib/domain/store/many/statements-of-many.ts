import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import { NEXT_INSTANT, quantitiesAt, wordsAt } from '../statements.ts';

const HISTORY = 'project_id, type_id, id, version, op, last_updated, author, meta, content';
/** One row, also where a cluster's node is asked (at-home.ts). */
const STORED = `select coalesce(jsonb_object_agg(id, last_updated), '{}')::text as stored from r`;

/** What resources of the type may have besides: numbers, or words, with which numbers are written, too. */
export type Has = 'neither' | 'numbers' | 'words';

/**
 * As `UPDATE`, of several locked rows of one type. $1 project; of each row $2 id, $3 version, $4 last_updated, $5 author, $6 meta, $7 content,
 * $8 tokens, $9 sort_date, $10 sort_end; of each string $11 id, $12 param, $13 value; of each date $14 id, $15 param, $16 lo, $17 hi; $18
 * params of the type; of one that may have numbers, $19 these, and words, $20.
 */
export function updatedTogether(type: string, has: Has): string {
  return remember(`update ${type} ${has}`, () => {
    const of = typeId(type);
    return `
  with n as materialized (select *
    from unnest($2::text[], $3::int[], $4::timestamptz[], $5::text[], $6::text[], $7::text[], $8::text[], $9::timestamptz[], $10::timestamptz[])
      as n(i, v, at, a, m, c, k, d, e)),
  r as (update resource x set version = v, last_updated = greatest(at, ${NEXT_INSTANT}), deleted = false, author = a, meta = m::jsonb,
      content = c::jsonb, tokens = k::bigint[], sort_date = d, sort_end = e
    from n where x.project_id = $1::uuid and x.type_id = ${of} and x.id = i and x.version = v - 1 returning x.id, x.last_updated),
  h as (insert into resource_history (${HISTORY})
    select $1::uuid, ${of}, i, v, 'update', r.last_updated, a, m, c from n join r on r.id = i),
  xs as (delete from ix_string where project_id = $1::uuid and id = any($2::text[]) and param = any($18::int[])),
  xd as (delete from ix_date where project_id = $1::uuid and id = any($2::text[]) and param = any($18::int[])),
  s as (insert into ix_string (project_id, param, value, id)
    select $1::uuid, p, v, i from unnest($11::text[], $12::int[], $13::text[]) as n(i, p, v)),
  d as (insert into ix_date (project_id, param, lo, hi, id)
    select $1::uuid, p, l, h, i from unnest($14::text[], $15::int[], $16::timestamptz[], $17::timestamptz[]) as n(i, p, l, h))${has === 'neither' ? '' : `,${dropMeasured(18)},\n  ${quantitiesAt(19)}`}${has === 'words' ? `,${dropWorded(18)},\n  ${wordsAt(20)}` : ''}
  ${STORED}`;
  });
}

/** As `DELETE`, of several locked rows of one type. $1 project; of each row $2 id, $3 version, $4 last_updated, $5 author; $6 params of the type. */
export function deletedTogether(type: string, has: Has): string {
  return remember(`delete ${type} ${has}`, () => {
    const of = typeId(type);
    return `
  with n as materialized (select * from unnest($2::text[], $3::int[], $4::timestamptz[], $5::text[]) as n(i, v, at, a)),
  r as (update resource x set version = v, last_updated = greatest(at, ${NEXT_INSTANT}), deleted = true, author = a, meta = null,
      content = null, tokens = '{}', sort_date = null, sort_end = null
    from n where x.project_id = $1::uuid and x.type_id = ${of} and x.id = i and x.version = v - 1 and not x.deleted
    returning x.id, x.last_updated),
  h as (insert into resource_history (${HISTORY})
    select $1::uuid, ${of}, i, v, 'delete', r.last_updated, a, null, null from n join r on r.id = i),
  xs as (delete from ix_string where project_id = $1::uuid and id = any($2::text[]) and param = any($6::int[])),
  xd as (delete from ix_date where project_id = $1::uuid and id = any($2::text[]) and param = any($6::int[]))${has === 'neither' ? '' : `,${dropMeasured(6)}`}${has === 'words' ? `,${dropWorded(6)}` : ''}
  ${STORED}`;
  });
}

function dropMeasured(params: number): string {
  return `
  xq as (delete from ix_quantity where project_id = $1::uuid and id = any($2::text[]) and param = any($${params}::int[]))`;
}

function dropWorded(params: number): string {
  return `
  xw as (delete from ix_words where project_id = $1::uuid and id = any($2::text[]) and param = any($${params}::int[]))`;
}

const texts = new Map<string, string>();

/** The type stands in the text, as in those that read: then PostgreSQL plans one partition. */
function remember(key: string, make: () => string): string {
  const text = texts.get(key) ?? make();
  texts.set(key, text);
  return text;
}
