import { and, desc, eq } from 'drizzle-orm';
import { db } from '#lib/infra/db/client.ts';
import { oneTimeLink } from '#lib/infra/db/schema/login.ts';
import { mail } from '#lib/infra/db/schema/operations.ts';
import type { MemberInvite } from '#lib/protocol/answers/member-invite.ts';
import type { Ctx } from '../access/context.ts';
import { readMember } from '../memberships/read-member.ts';
import { hasAccepted } from './has-accepted.ts';

const MOST_MAILS = 20;

/** How an invitation stands, and what became of its mail. For an administrator; never the link itself. */
export async function readInvite(ctx: Ctx, projectId: string, membershipId: string): Promise<MemberInvite> {
  await readMember(ctx, projectId, membershipId);
  const [accepted, [link], mails] = await Promise.all([
    hasAccepted(db(), projectId, membershipId),
    db()
      .select()
      .from(oneTimeLink)
      .where(
        and(
          eq(oneTimeLink.projectId, projectId),
          eq(oneTimeLink.membershipId, membershipId),
          eq(oneTimeLink.kind, 'invite'),
        ),
      )
      .orderBy(desc(oneTimeLink.createdAt))
      .limit(1),
    db()
      .select()
      .from(mail)
      .where(and(eq(mail.projectId, projectId), eq(mail.membershipId, membershipId)))
      .orderBy(desc(mail.createdAt))
      .limit(MOST_MAILS),
  ]);
  return {
    state: accepted ? 'accepted' : stateOf(link),
    ...(link && { link: toView(link) }),
    mail: mails.map((row) => ({
      id: row.id,
      template: row.template,
      state: row.state,
      attempts: row.attempts,
      error: row.error ?? undefined,
      createdAt: row.createdAt.toISOString(),
      sentAt: row.sentAt?.toISOString(),
    })),
  };
}

type Link = typeof oneTimeLink.$inferSelect;

function stateOf(link: Link | undefined): MemberInvite['state'] {
  if (!link) return 'none';
  if (link.usedAt) return 'accepted';
  if (link.supersededAt) return 'revoked';
  return link.expiresAt <= new Date() ? 'expired' : 'pending';
}

function toView({ createdAt, expiresAt, openedAt, usedAt }: Link): MemberInvite['link'] {
  return {
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    openedAt: openedAt?.toISOString(),
    usedAt: usedAt?.toISOString(),
  };
}
