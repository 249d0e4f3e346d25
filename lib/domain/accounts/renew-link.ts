import { and, eq, isNotNull } from 'drizzle-orm';
import { AppError } from '#lib/base/errors.ts';
import { SERVER_SCOPE } from '#lib/base/ids.ts';
import { db } from '#lib/infra/db/client.ts';
import { membershipKey } from '#lib/infra/db/schema/identity.ts';
import { oneTimeLink } from '#lib/infra/db/schema/login.ts';
import { queueMail } from '#lib/infra/mail/queue-mail.ts';
import type { Ctx } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { throttle } from '../limits/throttle.ts';
import { createLink, type Link, type LinkInput } from '../links/create-link.ts';
import { createMailedLink } from '../links/create-mailed-link.ts';
import { requireLink } from '../links/find-link.ts';
import { readLinkState } from '../links/read-link-state.ts';
import { notOpen } from '../links/spend-link.ts';
import { tellInvite } from '../links/tell-invite.ts';
import { findUserAnywhere } from './find-user.ts';
import { readLink } from './read-link.ts';

const TEMPLATE = { invite: 'invite', reset: 'reset', 'verify-email': 'verify' } as const;

/** Of links that a newer one replaced, which may lie in any old mail: for a person, a day. */
const REPLACED = {
  limit: 5,
  windowSeconds: 86_400,
  refusal: 'Several new links were sent to this address today: open the one in the newest mail',
};

/**
 * Mails a fresh link to whom an old one was for: knowing its secret proves that the old mail arrived, once. An expired one is replaced; one that
 * was replaced already brings a link beside the newer one and its code, and a few a day: who found an old mail can end nothing
 * by it, nor use up the room of whoever has the new one. Throws 400 when it was used, accepted by another link, or taken back; 429.
 */
export async function renewLink(ctx: Ctx, id: string, secret: string): Promise<void> {
  const old = await requireLink(db(), id, secret);
  const standing = await readLinkState(db(), old);
  if (standing.state === 'used') throw notOpen(standing);
  if (old.kind === 'reopen')
    throw new AppError('invalid', 'This link is not sent again; ask who runs this server', { expression: 'id' });
  if (old.revokedAt) throw new AppError('invalid', 'This invitation was taken back', { expression: 'id' });
  if (old.membershipId && !(await isActive(old.projectId, old.membershipId))) {
    throw new AppError('invalid', 'This invitation was taken back', { expression: 'id' });
  }
  if (await wasAccepted(old)) {
    throw new AppError('invalid', 'This invitation was accepted already: sign in', { expression: 'id' });
  }
  const { userId, projectId, membershipId, supersededAt } = old;
  const kind = old.kind;
  if (supersededAt) await throttle(`renew-replaced:${userId}`, REPLACED.limit, REPLACED);
  else await throttle(`renew:${userId}`, 5);
  const user = await findUserAnywhere(userId, projectId ?? undefined);
  if (!user?.email)
    throw new AppError('invalid', 'This person has no e-mail address; ask an administrator for a new link');
  const { project, invitedBy } = await readLink(id, secret);
  const { email } = user;
  await write(ctx, async (w) => {
    const target = { projectId: projectId ?? undefined, membershipId: membershipId ?? undefined };
    const input: LinkInput = { kind, userId, ...target };
    const { url, code = '' }: Link & { code?: string } = supersededAt
      ? await createLink(w, input, { beside: true })
      : await createMailedLink(w, input);
    const params = { url, code, projectName: project?.name ?? '', inviterName: invitedBy ?? 'An administrator' };
    tellInvite(w, old);
    await queueMail(w.tx, {
      projectId: projectId ?? SERVER_SCOPE,
      template: TEMPLATE[kind],
      recipient: email,
      membershipId: target.membershipId,
      params,
    });
    w.audit({ projectId: projectId ?? SERVER_SCOPE, action: `${kind}.renew`, target: `User/${userId}` });
  });
}

async function isActive(projectId: string | null, membershipId: string): Promise<boolean> {
  const here = and(
    eq(membershipKey.projectId, projectId ?? SERVER_SCOPE),
    eq(membershipKey.membershipId, membershipId),
  );
  const [row] = await db().select({ active: membershipKey.active }).from(membershipKey).where(here);
  return row?.active === true;
}

/** By a newer link of the same invitation. */
async function wasAccepted({ kind, membershipId }: typeof oneTimeLink.$inferSelect): Promise<boolean> {
  if (kind !== 'invite' || !membershipId) return false;
  const used = and(
    eq(oneTimeLink.membershipId, membershipId),
    eq(oneTimeLink.kind, 'invite'),
    isNotNull(oneTimeLink.usedAt),
  );
  const [row] = await db().select({ id: oneTimeLink.id }).from(oneTimeLink).where(used).limit(1);
  return row !== undefined;
}
