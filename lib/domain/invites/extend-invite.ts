import { AppError } from '#lib/base/errors.ts';
import type { InviteRow } from '#lib/protocol/answers/invites.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { extendLink } from '../links/extend-link.ts';
import { loadInvite } from './list-invites.ts';
import { lockInvite } from './lock-invite.ts';

const DAY_MS = 24 * 3_600_000;

/** The link that is out already works for so many days from now, also when its time was up. Throws 409 when it was accepted or replaced. */
export async function extendInvite(ctx: Ctx, projectId: string, linkId: string, days: number): Promise<InviteRow> {
  requireProjectAdmin(ctx, projectId);
  return write(ctx, async (w) => {
    const { current, link } = await lockInvite(w.tx, projectId, linkId);
    if (link.supersededAt) throw new AppError('conflict', 'This link was replaced; make a new one');
    const expiresAt = new Date(Date.now() + days * DAY_MS);
    await extendLink(w.tx, link.id, expiresAt);
    w.stands({ projectId, membershipId: current.id });
    w.audit({
      projectId,
      action: 'invite.extend',
      target: `ProjectMembership/${current.id}`,
      before: { expiresAt: link.expiresAt },
      after: { expiresAt },
    });
    await w.settle();
    return loadInvite(projectId, current.id, w.tx);
  });
}
