import { SERVER_SCOPE } from '#lib/base/ids.ts';
import { queueMail } from '#lib/infra/mail/queue-mail.ts';
import type { Write } from '../access/context.ts';
import { createMailedLink } from '../links/create-mailed-link.ts';

/** Mails the link and the code that prove the address of a server-scoped User, in its transaction. Older ones end. */
export async function mailVerification(w: Write, userId: string, email: string): Promise<void> {
  const { url, code } = await createMailedLink(w, { kind: 'verify-email', userId });
  await queueMail(w.tx, { projectId: SERVER_SCOPE, template: 'verify', recipient: email, params: { url, code } });
  w.audit({ projectId: SERVER_SCOPE, action: 'user.email.request-verification', target: `User/${userId}` });
}
