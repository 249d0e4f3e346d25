import { AppError } from '#lib/base/errors.ts';
import { SERVER_SCOPE } from '#lib/base/ids.ts';
import { db } from '#lib/infra/db/client.ts';
import type { User } from '#lib/protocol/fhir/types.ts';
import type { Ctx } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { membersOf } from '../directory/members-of.ts';
import { requireLink } from '../links/find-link.ts';
import { requireOpenLink, spendLink } from '../links/spend-link.ts';
import { lockRow, requireLive } from '../store/find-row.ts';
import { toResource } from '../store/row.ts';
import { updateRow } from '../store/update-row.ts';

/**
 * Spends a verify-email link: the address is proven (contract §1.5). Throws 404 for an unknown id, 400 for everything else that is wrong
 * with it, and 409 while an invitation waits.
 */
export async function verifyEmail(ctx: Ctx, { id, secret }: { id: string; secret: string }): Promise<void> {
  const link = await requireLink(db(), id, secret);
  if (link.kind !== 'verify-email') {
    throw new AppError('invalid', 'Invalid security request type', { expression: 'id' });
  }
  await requireOpenLink(db(), link);
  await requireNoInvite(link.userId);
  await write(ctx, async (w) => {
    await spendLink(w, link);
    // Of a project’s own person the link names the project.
    const scope = link.projectId ?? SERVER_SCOPE;
    const row = requireLive(await lockRow(w.tx, scope, 'User', link.userId));
    await updateRow(w, row, { ...toResource<User>(row), emailVerified: true }, `User/${link.userId}`);
    w.stands({ userId: link.userId });
    w.audit({ projectId: scope, action: 'user.email.verify', target: `User/${link.userId}` });
  });
}

/**
 * Who is invited proves the address by the link of the invitation, which asks for a new password. This link leaves the old one, which may be
 * somebody else's, who registered with an address that is not theirs and waits for its owner to confirm it.
 */
async function requireNoInvite(userId: string): Promise<void> {
  const all = await membersOf(userId);
  if (!all.some(({ awaitsProof }) => awaitsProof)) return;
  throw new AppError(
    'conflict',
    'You are invited to a project: open the link of that mail, which confirms your address as well',
  );
}
