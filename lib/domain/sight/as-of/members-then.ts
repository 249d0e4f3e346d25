import { sql } from 'drizzle-orm';
import { db } from '#lib/infra/db/client.ts';
import { isAnyOf } from '#lib/infra/db/text-array.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import type { AccessPolicy, ProjectMembership } from '#lib/protocol/fhir/types.ts';
import { DEEPEST, missingOf } from '../../access/lineage.ts';
import { policiesOf } from '../../access/policies-of.ts';
import { fromRaw, type RawRow, toResource } from '../../store/row.ts';
import { type AsOf, membershipsAfter, versionsAsOf } from './versions-as-of.ts';

/** By reference. `policy` where it was there. */
export type PoliciesThen = Map<string, { state: AsOf['state']; policy?: AccessPolicy }>;

/** So many memberships after this one by id, at a moment, or now where none is given; those that are there no longer, too. */
export async function membersThen(
  projectId: string,
  { at, after, limit }: { at: Date | undefined; after: string | undefined; limit: number },
): Promise<AsOf[]> {
  if (at) return versionsAsOf(projectId, 'ProjectMembership', await membershipsAfter(projectId, after, limit), at);
  const raws = await db().execute<RawRow>(sql`
    select id, version, last_updated, deleted, author, meta::text as meta, content::text as content from resource
    where project_id = ${projectId} and type_id = ${typeId('ProjectMembership')} and not deleted and id > ${after ?? ''}
    order by id limit ${limit}`);
  return raws.map((raw) => toPresent(projectId, 'ProjectMembership', raw));
}

/** The policies that memberships name, and all that these are based on, and `known` does not have yet are put there, as they were at that moment, or are now. */
export async function policiesThen(
  projectId: string,
  { at, memberships, known }: { at: Date | undefined; memberships: readonly ProjectMembership[]; known: PoliciesThen },
): Promise<PoliciesThen> {
  let wanted = [...new Set(memberships.flatMap(policiesOf))].filter((reference) => !known.has(reference));
  for (let level = 0; wanted.length > 0 && level <= DEEPEST; level++) {
    const ids = wanted.map((reference) => reference.slice('AccessPolicy/'.length));
    const found = at ? await versionsAsOf(projectId, 'AccessPolicy', ids, at) : await policiesNow(projectId, ids);
    const byId = new Map(found.map((each) => [each.id, each]));
    for (const [index, reference] of wanted.entries()) {
      const { state, row } = byId.get(ids[index]!) ?? { state: 'absent' as const, row: undefined };
      known.set(reference, { state, ...(row && state === 'present' && { policy: toResource<AccessPolicy>(row) }) });
    }
    wanted = missingOf(presentIn(known).values(), known);
  }
  return known;
}

/** Those of them that were there. */
export function presentIn(policies: ReadonlyMap<string, { policy?: AccessPolicy }>): Map<string, AccessPolicy> {
  return new Map([...policies].flatMap(([name, { policy }]) => (policy ? [[name, policy] as const] : [])));
}

async function policiesNow(projectId: string, ids: readonly string[]): Promise<AsOf[]> {
  const raws = await db().execute<RawRow>(sql`
    select id, version, last_updated, deleted, author, meta::text as meta, content::text as content from resource
    where project_id = ${projectId} and type_id = ${typeId('AccessPolicy')} and not deleted and ${isAnyOf(sql`id`, ids)}`);
  return raws.map((raw) => toPresent(projectId, 'AccessPolicy', raw));
}

function toPresent(projectId: string, type: string, raw: RawRow): AsOf {
  return { id: raw.id, state: 'present', row: fromRaw(projectId, type, raw) };
}
