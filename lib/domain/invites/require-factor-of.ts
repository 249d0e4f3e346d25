import { AppError } from '#lib/base/errors.ts';
import type { Stored, User } from '#lib/protocol/fhir/types.ts';
import type { Write } from '../access/context.ts';
import { lockRow, requireLive } from '../store/find-row.ts';
import { toResource } from '../store/row.ts';
import { updateRow } from '../store/update-row.ts';

/**
 * For an invitation of somebody who has an account: the project's own must have a second factor from now on. About an account above projects
 * no project decides: throws 400, unless it is asked for there already.
 */
export async function requireFactorOf(w: Write, user: Stored<User>): Promise<void> {
  if (user.mfaRequired === true) return;
  const scope = /^Project\/(.+)$/.exec(user.project?.reference ?? '')?.[1];
  if (scope === undefined) {
    throw new AppError(
      'invalid',
      'This person has an account of their own, about which no project decides; the project’s setting mfaRequired asks for a second factor to enter it',
      { expression: 'mfaRequired' },
    );
  }
  const row = requireLive(await lockRow(w.tx, scope, 'User', user.id));
  await updateRow(w, row, { ...toResource<User>(row), mfaRequired: true }, w.actor?.profile);
  w.audit({ projectId: scope, action: 'user.update', target: `User/${user.id}`, after: { mfaRequired: true } });
}
