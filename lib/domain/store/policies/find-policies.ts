import { sql } from 'drizzle-orm';
import { db, type Queryable } from '#lib/infra/db/client.ts';
import { isAnyOf } from '#lib/infra/db/text-array.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import type { AccessPolicy } from '#lib/protocol/fhir/types.ts';
import { DEEPEST, missingOf } from '../../access/lineage.ts';
import { shareRows } from '../find-row.ts';
import { type Row, toResource } from '../row.ts';

export type FoundPolicy = { id: string; version: number; content: AccessPolicy };

/** So many are fetched at a time: what weighs too much in all is never all in memory. */
const PIECE = 20;

/** `stays`: each is kept from being changed or deleted until the transaction ends. */
export type Finding = { q?: Queryable; stays?: boolean };

/** These policies of a project, as far as they are there, some at a time. */
export async function* findPolicies(
  projectId: string,
  references: readonly string[],
  { q = db(), stays = false }: Finding = {},
): AsyncGenerator<FoundPolicy[]> {
  for (let at = 0; at < references.length; at += PIECE) {
    const ids = references.slice(at, at + PIECE).map((reference) => reference.slice('AccessPolicy/'.length));
    if (stays)
      yield (await shareRows(q, projectId, 'AccessPolicy', ids)).filter(({ deleted }) => !deleted).map(toFound);
    else
      yield await q.execute<FoundPolicy>(sql`
        select id, version, content from resource
        where project_id = ${projectId} and type_id = ${typeId('AccessPolicy')} and not deleted and ${isAnyOf(sql`id`, ids)}`);
  }
}

function toFound(row: Row): FoundPolicy {
  return { id: row.id, version: row.version, content: toResource<AccessPolicy>(row) };
}

/** These, and all that they and those in `known` are based on, as far as they are there; one statement for some of each level. */
export async function findLineages(
  projectId: string,
  references: readonly string[],
  { known = new Map(), ...finding }: Finding & { known?: ReadonlyMap<string, AccessPolicy> } = {},
): Promise<Map<string, AccessPolicy>> {
  const found = new Map(known);
  const asked = new Set(found.keys());
  let wanted = [...references.filter((name) => !asked.has(name)), ...missingOf(known.values(), asked)];
  for (let level = 0; wanted.length > 0 && level <= DEEPEST; level++) {
    for (const name of wanted) asked.add(name);
    for await (const rows of findPolicies(projectId, wanted, finding)) {
      for (const { id, content } of rows) found.set(`AccessPolicy/${id}`, content);
    }
    wanted = missingOf(found.values(), asked);
  }
  return found;
}
