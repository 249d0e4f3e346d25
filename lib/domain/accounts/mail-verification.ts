import { SERVER_SCOPE } from '#lib/base/ids.ts';
import { queueMail } from '#lib/infra/mail/queue-mail.ts';
import type { Write } from '../access/context.ts';
import { createMailedLink } from '../links/create-mailed-link.ts';

/** Mails the link and the code that prove the address of a User, in its transaction. `scope`: where the User stands. Older ones end. */
export async function mailVerification(w: Write, userId: string, email: string, scope = SERVER_SCOPE): Promise<void> {
  const projectId = scope === SERVER_SCOPE ? undefined : scope;
  const { url, code } = await createMailedLink(w, { kind: 'verify-email', userId, projectId });
  await queueMail(w.tx, { projectId: scope, template: 'verify', recipient: email, params: { url, code } });
  w.audit({ projectId: scope, action: 'user.email.request-verification', target: `User/${userId}` });
}
