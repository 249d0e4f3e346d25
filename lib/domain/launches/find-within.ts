import type { Resource, Stored } from '#lib/protocol/fhir/types.ts';
import type { Actor } from '../access/context.ts';
import { mayReach, reach } from '../access/policy.ts';
import { findRow } from '../store/find-row.ts';
import { toResource } from '../store/row.ts';
import { visibleRow } from '../store/visible-row.ts';
import { isWithin } from '../store/within-reach.ts';

/** A record as it stands, if this actor may read it. */
export async function findWithin(
  actor: Pick<Actor, 'projectId' | 'policy'>,
  type: 'Patient' | 'Encounter',
  id: string,
): Promise<Stored<Resource> | undefined> {
  if (!mayReach(actor, type, 'read')) return undefined;
  const row = await findRow(actor.projectId, type, id);
  const isThere = row !== undefined && !row.deleted && (await isWithin(reach(actor, type, 'read'), row));
  return isThere ? toResource<Stored<Resource>>(await visibleRow(actor, row)) : undefined;
}
