import { SERVER_SCOPE } from '#lib/base/ids.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import type { Project } from '#lib/protocol/fhir/types.ts';
import type { FoundUser } from '../accounts/find-user.ts';
import { hasPassword } from '../accounts/has-password.ts';
import { findRow } from '../store/find-row.ts';
import { toResource } from '../store/row.ts';
import { hasPasskey } from '../webauthn/own-rows.ts';
import { waitInForce } from './wait-in-force.ts';

type Whose = Pick<FoundUser, 'id' | 'scope' | 'emailVerified'>;

/**
 * For how long what an administrator changes of this account waits, as the project says whose own it is. An account above projects is no project's
 * to make wait; and of one that is nobody's yet nobody could stop it.
 */
export async function findRecoveryWait(
  q: Queryable,
  { id, scope, emailVerified }: Whose,
): Promise<{ waitMs: number; projectName: string }> {
  if (scope === SERVER_SCOPE) return { waitMs: 0, projectName: '' };
  const row = await findRow(scope, 'Project', scope, q);
  const project = row && !row.deleted ? toResource<Project>(row) : undefined;
  const isSomebodys = emailVerified === true || (await hasPassword(q, id)) || (await hasPasskey(q, id));
  const waitMs = isSomebodys ? await waitInForce(q, scope, project?.setting ?? []) : 0;
  return { waitMs, projectName: project?.name ?? '' };
}
