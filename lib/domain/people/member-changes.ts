import { notFound } from '#lib/base/errors.ts';
import { isUuid, SERVER_SCOPE } from '#lib/base/ids.ts';
import { db } from '#lib/infra/db/client.ts';
import type { ChangeRow } from '#lib/infra/db/schema/account-change.ts';
import type { WaitingChanges } from '#lib/protocol/account-changes/answers.ts';
import type { ProjectMembership } from '#lib/protocol/fhir/types.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';
import { endChange, findWaiting, toWaiting } from '../account-changes/change-rows.ts';
import { write } from '../audit/write.ts';
import { readMember } from '../memberships/read-member.ts';
import { toResource } from '../store/row.ts';

/** What waits of how a member signs in, and is this project's to know. Throws 403, 404, and 410 for a removed member. */
export async function listMemberChanges(ctx: Ctx, projectId: string, membershipId: string): Promise<WaitingChanges> {
  return { changes: (await findOurs(ctx, projectId, membershipId)).map(toWaiting) };
}

/** Takes one of them back. Throws as there, and 404 for one that does not wait. */
export async function cancelMemberChange(
  ctx: Ctx,
  projectId: string,
  membershipId: string,
  changeId: string,
): Promise<void> {
  const row = (await findOurs(ctx, projectId, membershipId)).find(({ id }) => id === changeId.toLowerCase());
  if (!isUuid(changeId) || !row) throw notFound();
  await write(ctx, async (w) => {
    if (!(await endChange(w, row.id, 'cancelled'))) throw notFound();
    const before = { kind: row.kind };
    for (const at of new Set([row.scope, projectId]))
      w.audit({ projectId: at, action: 'user.change.cancel', target: `User/${row.userId}`, before });
  });
}

/** What administrators of this project asked for, and what the project's own people did: an account above projects is its person's. */
async function findOurs(ctx: Ctx, projectId: string, membershipId: string): Promise<ChangeRow[]> {
  requireProjectAdmin(ctx, projectId);
  const member = toResource<ProjectMembership>(await readMember(ctx, projectId, membershipId));
  const [type, userId = ''] = member.user.reference?.split('/') ?? [];
  if (type !== 'User') return [];
  const all = await findWaiting(db(), userId);
  return all.filter((row) => row.projectId === projectId || (row.scope === projectId && row.scope !== SERVER_SCOPE));
}
