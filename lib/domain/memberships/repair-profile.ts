import { AppError } from '#lib/base/errors.ts';
import type { ProjectMembership, Reference } from '#lib/protocol/fhir/types.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { requireFreeProfile } from '../profiles/require-free-profile.ts';
import { requireProfile } from '../profiles/resolve-profile.ts';
import { lockRow } from '../store/find-row.ts';
import { reviveRow } from '../store/revive-row.ts';
import { type Row, toResource } from '../store/row.ts';
import { lockMember } from './lock-member.ts';
import { saveMembership } from './save-membership.ts';

/**
 * Makes a membership whose profile is gone work again: restores the profile as it last was, or links it to another one of the project.
 * Throws 409 when there is nothing to repair or nothing to restore, and when somebody else's active membership stands on the other
 * profile; 400 when the other profile is not of the same type or not the project's.
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
      const named = input.profile.reference ?? '';
      const { reference } = await requireProfile(w.tx, projectId, named, { type, expression: 'profile' });
      await requireFreeProfile(w.tx, projectId, { ...membership, profile: reference }, 'profile');
      return saveMembership(w, current, { ...membership, profile: reference }, actor.profile);
    }
    if (!(await reviveRow(w, projectId, type, id, actor.profile))) {
      throw new AppError(
        'conflict',
        'No earlier version of the profile is left to restore: name another one in `profile`',
      );
    }
    w.audit({ projectId, action: 'resource.restore', target: `${type}/${id}` });
    return current;
  });
}
