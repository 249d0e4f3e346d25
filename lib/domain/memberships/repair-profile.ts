import { AppError } from '#lib/base/errors.ts';
import type { ProjectMembership, Reference } from '#lib/protocol/fhir/types.ts';
import { type Ctx, requireProjectAdmin, type Write } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { findVersion } from '../store/find-history.ts';
import { lockRow } from '../store/find-row.ts';
import { type Row, toResource } from '../store/row.ts';
import { updateRow } from '../store/update-row.ts';
import { lockMember } from './lock-member.ts';
import { requireProfile } from './resolve-profile.ts';
import { saveMembership } from './save-membership.ts';

/**
 * Makes a membership whose profile is gone work again: restores the profile as it last was, or links it to another one of the project.
 * Throws 409 when there is nothing to repair, 400 when the other profile will not do.
 */
export async function repairProfile(
  ctx: Ctx,
  projectId: string,
  membershipId: string,
  input: { profile?: Reference },
): Promise<Row> {
  const actor = requireProjectAdmin(ctx, projectId);
  return write(ctx, async (w) => {
    const { current } = await lockMember(w.tx, projectId, membershipId);
    const membership = toResource<ProjectMembership>(current);
    if (!membership.user.reference?.startsWith('User/')) {
      throw new AppError('invalid', 'Only the profile of a person can be repaired');
    }
    const [type = '', id = ''] = (membership.profile.reference ?? '').split('/');
    const profile = await lockRow(w.tx, projectId, type, id);
    if (profile && !profile.deleted) throw new AppError('conflict', 'The profile is there; nothing to repair');
    if (input.profile) {
      const { reference } = await requireProfile(w.tx, projectId, input.profile.reference ?? '', {
        expression: 'profile',
      });
      return saveMembership(w, current, { ...membership, profile: reference }, actor.profile);
    }
    await restore(w, profile, actor.profile);
    return current;
  });
}

async function restore(w: Write, row: Row | undefined, author: string): Promise<void> {
  const last = row && (await findVersion(row.projectId, row.type, row.id, row.version - 1, w.tx));
  if (!row || !last || last.op === 'delete') {
    throw new AppError('conflict', 'The profile cannot be restored: name another one in `profile`');
  }
  await updateRow(w, row, toResource(last), author);
  w.audit({ projectId: row.projectId, action: 'resource.restore', target: `${row.type}/${row.id}` });
}
