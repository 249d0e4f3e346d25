import { and, eq, isNotNull } from 'drizzle-orm';
import { AppError } from '#lib/base/errors.ts';
import { SERVER_SCOPE } from '#lib/base/ids.ts';
import { db } from '#lib/infra/db/client.ts';
import { membershipKey, oneTimeLink } from '#lib/infra/db/schema/identity.ts';
import { queueMail } from '#lib/infra/mail/queue-mail.ts';
import type { Ctx } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { throttle } from '../limits/throttle.ts';
import { createMailedLink } from '../links/create-mailed-link.ts';
import { linkState, requireLink } from '../links/find-link.ts';
import { findUser } from './find-user.ts';
import { readLink } from './read-link.ts';

const TEMPLATE = { invite: 'invite', reset: 'reset', 'verify-email': 'verify' } as const;

/** Mails a fresh link to whom an expired one was for: knowing its secret proves that the old mail arrived. Throws 400 when it was used, accepted by another link, or taken back. */
export async function renewLink(ctx: Ctx, id: string, secret: string): Promise<void> {
  const old = await requireLink(db(), id, secret);
  if (linkState(old) === 'used') throw new AppError('invalid', 'Already used', { expression: 'id' });
  if (old.revokedAt) throw new AppError('invalid', 'This invitation was taken back', { expression: 'id' });
  if (old.membershipId && !(await isActive(old.projectId, old.membershipId))) {
    throw new AppError('invalid', 'This invitation was taken back', { expression: 'id' });
  }
  if (await wasAccepted(old)) {
    throw new AppError('invalid', 'This invitation was accepted already: sign in', { expression: 'id' });
  }
  await throttle(`renew:${old.userId}`, 5);
  const user = await findUser(old.userId);
  if (!user?.email)
    throw new AppError('invalid', 'This person has no e-mail address; ask an administrator for a new link');
  const { project, invitedBy } = await readLink(id, secret);
  const { kind, userId, projectId, membershipId } = old;
  const { email } = user;
  await write(ctx, async (w) => {
    const target = { projectId: projectId ?? undefined, membershipId: membershipId ?? undefined };
    const link = await createMailedLink(w, { kind, userId, ...target });
    const { url, code } = link;
    const params = { url, code, projectName: project?.name ?? '', inviterName: invitedBy ?? 'An administrator' };
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
