import { accessRequest } from '#lib/infra/db/schema/access-request.ts';
import type { OwnAccessRequest } from '#lib/protocol/access-requests/answers.ts';
import type { Ctx } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { is, lockOpen, toOwn } from './request-rows.ts';
import { requireSelf } from './require-self.ts';

/** One’s own, which nobody has decided about. Throws 404, and 409 once it is not open. */
export async function withdrawRequest(ctx: Ctx, requestId: string): Promise<OwnAccessRequest> {
  const { projectId, membershipId } = requireSelf(ctx);
  return write(ctx, async (w) => {
    const { id } = await lockOpen(w.tx, projectId, requestId, membershipId);
    const [row] = await w.tx
      .update(accessRequest)
      .set({ state: 'withdrawn', closedAt: new Date(), dueAt: null })
      .where(is(projectId, id))
      .returning();
    const target = `ProjectMembership/${membershipId}`;
    w.audit({ projectId, action: 'access-request.withdraw', target, after: { request: id } });
    return toOwn(row!);
  });
}
