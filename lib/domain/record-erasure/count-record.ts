import { sql } from 'drizzle-orm';
import type { Queryable } from '#lib/infra/db/client.ts';
import { together } from '#lib/infra/db/together.ts';
import { isIdentityType, resourceTypes } from '#lib/protocol/fhir/type-ids.ts';
import type { TypeCounts } from '#lib/protocol/record-erasure/answers.ts';
import { isOfRecord, isReferring, recordTypes } from './compartment.ts';
import { findRows, splitRows, type Whose } from './find-record.ts';

const AT_ONCE = 500;

type Counted = { sure: number; doubtful: string };

/**
 * How much of a record is the patient's alone, and what of it others are in, too. What names no other patient anywhere need not be read: that is
 * most of it.
 */
export async function countRecord(q: Queryable, whose: Whose): Promise<{ erased: TypeCounts; kept: TypeCounts }> {
  const other = `Patient/(?!${whose.patientId.replaceAll('.', '\\.')}(?![A-Za-z0-9.-]))`;
  const [erased, kept]: [TypeCounts, TypeCounts] = [{}, {}];
  const types = recordTypes();
  const counted = await together(
    ...types.map((type) =>
      q.execute<Counted>(sql`
        with f as materialized (
          select r.id, r.content::text ~ ${other}::text as doubtful from resource r where ${isOfRecord({ ...whose, type })})
        select (count(*) filter (where not f.doubtful))::int as sure,
          coalesce(json_agg(f.id) filter (where f.doubtful), '[]')::text as doubtful from f`),
    ),
  );
  for (const [at, [row]] of counted.entries()) {
    const type = types[at]!;
    add(erased, type, row?.sure ?? 0);
    const ids = JSON.parse(row?.doubtful ?? '[]') as string[];
    for (let from = 0; from < ids.length; from += AT_ONCE) {
      const rows = await findRows(q, whose.projectId, type, ids.slice(from, from + AT_ONCE));
      const split = await splitRows(q, whose, rows);
      add(erased, type, split.own.length);
      add(kept, type, split.shared.length);
    }
  }
  return { erased, kept };
}

/** What refers to the patient and is not of the record. */
export async function countReferring(q: Queryable, whose: Whose): Promise<TypeCounts> {
  const asked = resourceTypes().flatMap((type) => {
    const where = isIdentityType(type) ? undefined : isReferring({ ...whose, type });
    return where ? [{ type, where }] : [];
  });
  const found = await together(
    ...asked.map(({ where }) =>
      q.execute<{ n: number }>(sql`select count(*)::int as n from resource r where ${where}`),
    ),
  );
  const counts: TypeCounts = {};
  for (const [at, [row]] of found.entries()) add(counts, asked[at]!.type, row?.n ?? 0);
  return counts;
}

/** Adds to the count of a type. */
export function add(counts: TypeCounts, type: string, more: number): void {
  if (more > 0) counts[type] = (counts[type] ?? 0) + more;
}

export function sumOf(counts: TypeCounts): number {
  return Object.values(counts).reduce((sum, n) => sum + n, 0);
}
