import { queueMail } from '#lib/infra/mail/queue-mail.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { throttleMailTo } from '../limits/throttle.ts';
import { createMailedLink } from '../links/create-mailed-link.ts';
import { lockMember } from '../memberships/lock-member.ts';
import { requireMemberUser } from '../memberships/require-member-user.ts';

/** Mails a one-hour link to choose a new password; the administrator never sees it. Throws 400 for whom mail cannot reach. */
export async function sendPasswordReset(ctx: Ctx, projectId: string, membershipId: string): Promise<void> {
  requireProjectAdmin(ctx, projectId);
  await write(ctx, async (w) => {
    const { project, current } = await lockMember(w.tx, projectId, membershipId);
    const { id: userId, email, firstName } = await requireMemberUser(w.tx, current);
    await throttleMailTo(email);
    const link = await createMailedLink(w, { kind: 'reset', userId, projectId, membershipId });
    await queueMail(w.tx, {
      projectId,
      template: 'reset',
      recipient: email,
      membershipId,
      params: { projectName: project.name ?? '', firstName, url: link.url, code: link.code },
    });
    w.audit({ projectId, action: 'user.password.send-reset', target: `ProjectMembership/${membershipId}` });
  });
}
