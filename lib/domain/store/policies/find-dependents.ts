import { sql } from 'drizzle-orm';
import { db, type Queryable } from '#lib/infra/db/client.ts';
import { basedOnTokens } from '#lib/protocol/fhir/index/reference-tokens.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import { DEEPEST } from '../../access/lineage.ts';

/** So many are looked at that stand on one. */
const MOST_DEPENDENTS = 500;

/** By reference: how many steps it is at most from what was asked about. `isAll`: there are no more. */
export type Dependents = { steps: Map<string, number>; isAll: boolean };

/** The policies that are based on this one, and those that are based on them. */
export async function findDependents(projectId: string, reference: string, q?: Queryable): Promise<Dependents> {
  return (await findDependentsOf(projectId, [reference], q)).get(reference)!;
}

/** Of several: a statement for each level. */
export async function findDependentsOf(
  projectId: string,
  references: readonly string[],
  q: Queryable = db(),
): Promise<Map<string, Dependents>> {
  const dependents = new Map(references.map((name) => [name, { steps: new Map<string, number>(), isAll: true }]));
  /** On which of those that were asked about each stands. */
  let level = new Map(references.map((name) => [name, new Set([name])]));
  for (let step = 1; level.size > 0 && step <= DEEPEST; step++) {
    const next = new Map<string, Set<string>>();
    for (const { id, bases } of await findBasedOn(projectId, [...level.keys()], q)) {
      const name = `AccessPolicy/${id}`;
      for (const root of bases.flatMap((base) => [...(level.get(base) ?? [])])) {
        const { steps } = dependents.get(root)!;
        if (!steps.has(name) && steps.size >= MOST_DEPENDENTS) {
          dependents.get(root)!.isAll = false;
          continue;
        }
        steps.set(name, step);
        next.set(name, new Set([...(next.get(name) ?? []), root]));
      }
    }
    level = next;
  }
  return dependents;
}

type BasedOn = { id: string; bases: string[] };

async function findBasedOn(projectId: string, bases: readonly string[], q: Queryable): Promise<BasedOn[]> {
  const tokens = basedOnTokens(projectId, bases);
  const most = MOST_DEPENDENTS * bases.length + 1;
  const rows = await q.execute<{ id: string; based_on: string }>(sql`
    select id, (content->'basedOn')::text as based_on from resource
    where project_id = ${projectId} and type_id = ${typeId('AccessPolicy')} and not deleted
      and tokens && ${`{${tokens.join(',')}}`}::bigint[]
    order by id limit ${most}`);
  return rows.map(({ id, based_on }) => {
    const named = JSON.parse(based_on) as { reference?: string }[];
    return { id, bases: named.flatMap(({ reference }) => reference ?? []) };
  });
}
