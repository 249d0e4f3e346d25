import { isUuid } from '#lib/base/ids.ts';
import { lockName } from '#lib/infra/db/lock-name.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { endViews } from '../views/view-rows.ts';

/** The caller looks no longer with the eyes of this member. Where they do not, nothing changes. Throws 403. */
export async function endView(ctx: Ctx, projectId: string, membershipId: string): Promise<void> {
  const { membershipId: viewerId } = requireProjectAdmin(ctx, projectId);
  if (!isUuid(membershipId)) return;
  await write(ctx, async (w) => {
    await lockName(w.tx, `views:${projectId}:${viewerId}`);
    if ((await endViews(w, projectId, { viewerId, membershipId })) === 0) w.unchanged();
  });
}
