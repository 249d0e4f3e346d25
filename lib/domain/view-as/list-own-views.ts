import type { MemberViewRow } from '#lib/infra/db/schema/members/member-view.ts';
import { formatCursor } from '#lib/protocol/cursor.ts';
import type { OwnView, OwnViewPage, OwnViewsQuery } from '#lib/protocol/view-as/view-as.ts';
import type { Ctx } from '../access/context.ts';
import { requireSelf } from '../access-requests/require-self.ts';
import { viewsOf } from '../views/view-rows.ts';

/** Who looked at the project of the session with one’s own eyes, when and why: the newest first. */
export async function listOwnViews(ctx: Ctx, { _count: count, cursor }: OwnViewsQuery): Promise<OwnViewPage> {
  const { projectId, membershipId, user } = requireSelf(ctx);
  const found = await viewsOf(projectId, { membershipId, userRef: user }, { count, cursor });
  const rows = found.slice(0, count);
  const last = found.length > count ? rows.at(-1) : undefined;
  return { rows: rows.map(toOwn), next: last ? formatCursor({ at: last.createdAt, id: last.id }) : null };
}

function toOwn({ id, viewerDisplay: by, createdAt, endsAt, endedAt, reason }: MemberViewRow): OwnView {
  return { id, by, startedAt: createdAt.toISOString(), endedAt: (endedAt ?? endsAt).toISOString(), reason };
}
