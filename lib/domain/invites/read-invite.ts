import { and, desc, eq } from 'drizzle-orm';
import { db } from '#lib/infra/db/client.ts';
import { oneTimeLink } from '#lib/infra/db/schema/identity.ts';
import { mail } from '#lib/infra/db/schema/operations.ts';
import type { Ctx } from '../access/context.ts';
import { readMember } from '../memberships/read-member.ts';
import { hasAccepted } from './has-accepted.ts';

export type InviteView = {
  /** `none`: there was no link. `revoked`: the last one was replaced or the member removed. */
  state: 'accepted' | 'pending' | 'expired' | 'revoked' | 'none';
  link?: { createdAt: string; expiresAt: string; openedAt?: string; usedAt?: string };
  /** Newest first. */
  mail: {
    id: string;
    template: string;
    state: string;
    attempts: number;
    error?: string;
    createdAt: string;
    sentAt?: string;
  }[];
};

const MOST_MAILS = 20;

/** How an invitation stands, and what became of its mail. For an administrator; never the link itself. */
export async function readInvite(ctx: Ctx, projectId: string, membershipId: string): Promise<InviteView> {
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

function stateOf(link: Link | undefined): InviteView['state'] {
  if (!link) return 'none';
  if (link.usedAt) return 'accepted';
  if (link.supersededAt) return 'revoked';
  return link.expiresAt <= new Date() ? 'expired' : 'pending';
}

function toView({ createdAt, expiresAt, openedAt, usedAt }: Link): InviteView['link'] {
  return {
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    openedAt: openedAt?.toISOString(),
    usedAt: usedAt?.toISOString(),
  };
}
