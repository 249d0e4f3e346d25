import { fhirBase } from '#lib/base/fhir-base.ts';
import { type Queryable, runText } from '#lib/infra/db/client.ts';
import { toTextArray } from '#lib/infra/db/text-array.ts';
import { type Extracted, extract, NOTHING } from '#lib/protocol/fhir/index/extract.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import type { Resource } from '#lib/protocol/fhir/types.ts';
import { toQuantities } from './indexes/quantity-params.ts';
import { quantitiesAt } from './statements.ts';

/** A version as another server had it. */
export type PlacedVersion = {
  type: string;
  id: string;
  version: number;
  op: 'create' | 'update' | 'delete';
  lastUpdated: string;
  author: string | null;
  meta: string | null;
  content: string | null;
};

/** The last one of a resource; without it when that was deleted. */
export type PlacedRow = PlacedVersion & { resource: Resource | undefined };

/** $1 project; of each version $2 type, $3 id, $4 version, $5 op, $6 last_updated, $7 author, $8 meta, $9 content. */
const HISTORY = `
  insert into resource_history (project_id, type_id, id, version, op, last_updated, author, meta, content)
  select $1::uuid, t, i, v, o, at, a, m, c
  from unnest($2::smallint[], $3::text[], $4::int[], $5::text[], $6::timestamptz[], $7::text[], $8::text[], $9::text[]) as n(t, i, v, o, at, a, m, c)`;

/** $1 project; of each row $2 type to $8 content, $9 deleted, $10 tokens, $11 sort_date, $12 sort_end; strings and dates as `INSERTED_TOGETHER`, $20 numbers. */
const CURRENT = `
  with r as (insert into resource (project_id, type_id, id, version, last_updated, author, meta, content, deleted, tokens, sort_date, sort_end)
    select $1::uuid, t, i, v, at, a, m::jsonb, c::jsonb, g, k::bigint[], d, e
    from unnest($2::smallint[], $3::text[], $4::int[], $5::timestamptz[], $6::text[], $7::text[], $8::text[], $9::boolean[], $10::text[],
      $11::timestamptz[], $12::timestamptz[]) as n(t, i, v, at, a, m, c, g, k, d, e)),
  s as (insert into ix_string (project_id, param, value, id)
    select $1::uuid, p, v, i from unnest($13::text[], $14::int[], $15::text[]) as n(i, p, v)),
  d as (insert into ix_date (project_id, param, lo, hi, id)
    select $1::uuid, p, l, h, i from unnest($16::text[], $17::int[], $18::timestamptz[], $19::timestamptz[]) as n(i, p, l, h)),
  ${quantitiesAt(20)}
  select 1 as done`;

/** Versions of resources that were never here, with their numbers and times, in the transaction that brings all of them. */
export async function placeVersions(tx: Queryable, projectId: string, all: readonly PlacedVersion[]): Promise<void> {
  if (all.length === 0) return;
  const column = (of: (one: PlacedVersion) => string | null) => toTextArray(all.map(of));
  await runText(tx, HISTORY, [
    projectId,
    column(({ type }) => String(typeId(type))),
    column(({ id }) => id),
    column(({ version }) => String(version)),
    column(({ op }) => op),
    column(({ lastUpdated }) => lastUpdated),
    column(({ author }) => author),
    column(({ meta }) => meta),
    column(({ content }) => content),
  ]);
}

/** What stands now of such resources, and by what it is found. Throws 400 for what cannot be indexed. */
export async function placeRows(tx: Queryable, projectId: string, all: readonly PlacedRow[]): Promise<void> {
  if (all.length === 0) return;
  const rows = all.map((row) => ({ ...row, index: indexOf(projectId, row) }));
  const column = (of: (row: (typeof rows)[number]) => string | null) => toTextArray(rows.map(of));
  const strings = rows.flatMap(({ id, index }) => index.strings.map((string) => ({ id, ...string })));
  const dates = rows.flatMap(({ id, index }) => index.dates.map((date) => ({ id, ...date })));
  await runText(tx, CURRENT, [
    projectId,
    column(({ type }) => String(typeId(type))),
    column(({ id }) => id),
    column(({ version }) => String(version)),
    column(({ lastUpdated }) => lastUpdated),
    column(({ author }) => author),
    // That of a grave says that it was erased.
    column(({ meta }) => meta),
    column(({ content, resource }) => (resource ? content : null)),
    column(({ resource }) => String(!resource)),
    column(({ index }) => `{${[...new Set(index.tokens)].join(',')}}`),
    column(({ index }) => index.sortDate?.toISOString() ?? null),
    column(({ index: { sortDate, sortEnd } }) => (sortDate ? (sortEnd?.toISOString() ?? 'infinity') : null)),
    toTextArray(strings.map(({ id }) => id)),
    toTextArray(strings.map(({ param }) => String(param))),
    toTextArray(strings.map(({ value }) => value)),
    toTextArray(dates.map(({ id }) => id)),
    toTextArray(dates.map(({ param }) => String(param))),
    toTextArray(dates.map(({ lo }) => lo.toISOString())),
    toTextArray(dates.map(({ hi }) => hi.toISOString())),
    toQuantities(rows.map(({ id, index }) => ({ id, ...index }))),
  ]);
}

function indexOf(projectId: string, { resource, id }: PlacedRow): Extracted {
  return resource ? extract(projectId, { ...resource, id }, fhirBase()) : NOTHING;
}
