import { and, desc, eq, gt, isNull, lt, or, type SQL, sql } from 'drizzle-orm';
import { db, type Queryable } from '#lib/infra/db/client.ts';
import { type MemberViewRow, memberView } from '#lib/infra/db/schema/members/member-view.ts';
import { isAnyUuidOf } from '#lib/infra/db/text-array.ts';
import { viewTag } from '../access/cache-tags.ts';
import type { Write } from '../access/context.ts';

/** What a token names a view by. */
export type ViewKey = { projectId: string; id: string };

/** Which that are open: of an administrator, one member’s or all; those in which a membership looks or is looked at; those of sessions. */
export type ViewsOf =
  | { viewerId: string; membershipId?: string }
  | { membershipId: string }
  | { logins: readonly string[] };

export async function findView({ projectId, id }: ViewKey, q: Queryable = db()): Promise<MemberViewRow | undefined> {
  const [row] = await q
    .select()
    .from(memberView)
    .where(and(eq(memberView.projectId, projectId), eq(memberView.id, id)));
  return row;
}

export type NewView = Omit<MemberViewRow, 'createdAt' | 'endedAt'> & { createdAt: Date };

export async function insertView(w: Write, view: NewView): Promise<void> {
  await w.tx.insert(memberView).values(view);
}

/** They are over from the commit on, in every process, and each is told in the audit log. How many there were. */
export async function endViews(w: Write, projectId: string, which: ViewsOf): Promise<number> {
  const now = new Date();
  const isOpen = and(eq(memberView.projectId, projectId), isNull(memberView.endedAt), gt(memberView.endsAt, now));
  const ended = await w.tx
    .update(memberView)
    .set({ endedAt: now })
    .where(and(isOpen, isOf(which)))
    .returning({ id: memberView.id, membershipId: memberView.membershipId, viewerId: memberView.viewerId });
  for (const { id, membershipId, viewerId } of ended) {
    w.invalidate(viewTag(id));
    const before = { view: id, by: `ProjectMembership/${viewerId}` };
    w.audit({ projectId, action: 'view.end', target: `ProjectMembership/${membershipId}`, before });
  }
  return ended.length;
}

function isOf(which: ViewsOf): SQL | undefined {
  if ('viewerId' in which) {
    const { viewerId, membershipId } = which;
    const whose = membershipId === undefined ? undefined : eq(memberView.membershipId, membershipId);
    return and(eq(memberView.viewerId, viewerId), whose);
  }
  if ('logins' in which) return isAnyUuidOf(sql`${memberView.loginId}`, which.logins);
  return or(eq(memberView.viewerId, which.membershipId), eq(memberView.membershipId, which.membershipId));
}

/** How many an administrator has begun since then, and when the first. */
export async function countViews(
  q: Queryable,
  { projectId, viewerId, since }: { projectId: string; viewerId: string; since: Date },
): Promise<{ count: number; first: Date | null }> {
  const [found] = await q
    .select({ count: sql<number>`count(*)::int`, first: sql<string | null>`min(${memberView.createdAt})` })
    .from(memberView)
    .where(
      and(eq(memberView.projectId, projectId), eq(memberView.viewerId, viewerId), gt(memberView.createdAt, since)),
    );
  return { count: found?.count ?? 0, first: found?.first ? new Date(found.first) : null };
}

type Page = { count: number; cursor?: { at: Date; id: string } };

/** Of a membership, while it was this person’s, the newest first; one more than asked for, where there are more. */
export async function viewsOf(
  projectId: string,
  { membershipId, userRef }: { membershipId: string; userRef: string },
  page: Page,
): Promise<MemberViewRow[]> {
  const { createdAt, id } = memberView;
  const { cursor, count } = page;
  const isTheirs = eq(memberView.userRef, userRef);
  const after = cursor && or(lt(createdAt, cursor.at), and(eq(createdAt, cursor.at), gt(id, cursor.id)));
  return db()
    .select()
    .from(memberView)
    .where(and(eq(memberView.projectId, projectId), eq(memberView.membershipId, membershipId), isTheirs, after))
    .orderBy(desc(createdAt), id)
    .limit(count + 1);
}
