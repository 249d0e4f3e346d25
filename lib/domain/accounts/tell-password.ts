import { env } from '#lib/base/env.ts';
import { queueMail } from '#lib/infra/mail/queue-mail.ts';
import type { Write } from '../access/context.ts';

/** To the person whose password is another one from here on: it may not have been them. `scope`: where their account stands. */
export async function tellPassword(w: Write, { scope, email }: { scope: string; email: string }): Promise<void> {
  const params = { url: `${env().BASE_URL}/resetpassword` };
  await queueMail(w.tx, { projectId: scope, template: 'password-changed', recipient: email, params });
}
