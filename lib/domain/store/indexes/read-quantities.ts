import { type SQL, sql } from 'drizzle-orm';
import { db } from '#lib/infra/db/client.ts';
import type { QuantityEntry } from '#lib/protocol/fhir/index/extract-quantities.ts';

type QuantityRow = { id: string; param: number; key: string; tags: string; base: string | null } & Record<
  'lo' | 'hi' | 'base_lo' | 'base_hi',
  string
>;

/** The entries of each of the rows `x` that are meant, by the id of the resource. */
export async function readQuantities(own: SQL): Promise<(id: string) => QuantityEntry[]> {
  const rows = await db().execute<QuantityRow>(sql`
    select x.id, x.param, x.key::text as key, x.tags::text as tags, x.lo::text as lo, x.hi::text as hi, x.base::text as base,
      x.base_lo::text as base_lo, x.base_hi::text as base_hi
    from ix_quantity x where ${own}`);
  const byId = Map.groupBy(rows, ({ id }) => id);
  return (id) => (byId.get(id) ?? []).map(toEntry);
}

/** The same texts for the same entries, in whichever order. */
export function toQuantityTexts(entries: QuantityEntry[]): string[] {
  return entries
    .map(({ param, key, tags, lo, hi, base, baseLo, baseHi }) =>
      [param, key, tags.map(String).sort(), lo, hi, base, baseLo, baseHi].map(String).join(' '),
    )
    .sort();
}

function toEntry({ param, key, tags, lo, hi, base, base_lo, base_hi }: QuantityRow): QuantityEntry {
  return {
    param,
    key: BigInt(key),
    tags: tags === '{}' ? [] : tags.slice(1, -1).split(',').map(BigInt),
    lo: Number(lo),
    hi: Number(hi),
    base: base === null ? null : BigInt(base),
    baseLo: base === null ? null : Number(base_lo),
    baseHi: base === null ? null : Number(base_hi),
  };
}
