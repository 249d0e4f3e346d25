import type { AccessEntry, AccessPolicy } from '#lib/protocol/fhir/types.ts';
import { policiesTag } from '../access/cache-tags.ts';
import type { Actor, Write } from '../access/context.ts';
import { createRow } from '../store/create-row.ts';
import { lockRow } from '../store/find-row.ts';
import { updateRow } from '../store/update-row.ts';

const NOTHING: AccessPolicy = { resourceType: 'AccessPolicy', name: 'No access: left the groups of a directory' };

/** The policy of the floor, made when it is needed first, and again when somebody deleted it. */
export async function storeFloor(w: Write, actor: Actor, projectId: string, floor: AccessEntry): Promise<void> {
  const id = floor.policy.reference?.slice('AccessPolicy/'.length) ?? '';
  const row = await lockRow(w.tx, projectId, 'AccessPolicy', id);
  if (row && !row.deleted) return;
  if (row) await updateRow(w, row, NOTHING, actor.profile);
  else await createRow(w, projectId, NOTHING, { author: actor.profile, id });
  w.invalidate(policiesTag(projectId));
  w.audit({ projectId, action: 'resource.create', target: `AccessPolicy/${id}` });
}
