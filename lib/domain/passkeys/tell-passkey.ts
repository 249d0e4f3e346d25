import { env } from '#lib/base/env.ts';
import { queueMail } from '#lib/infra/mail/queue-mail.ts';
import type { Write } from '../access/context.ts';
import type { FoundUser } from '../accounts/find-user.ts';
import type { PasskeyRow } from '../webauthn/own-rows.ts';

/** To the audit log, and to the person: it may not have been them. */
export async function tellPasskey(
  w: Write,
  { id, scope, email }: FoundUser,
  change: 'added' | 'removed',
  { name }: PasskeyRow,
): Promise<void> {
  const told = { projectId: scope, target: `User/${id}` };
  w.stands({ userId: id });
  if (change === 'added') w.audit({ ...told, action: 'user.passkey.add', after: { name } });
  else w.audit({ ...told, action: 'user.passkey.remove', before: { name } });
  if (!email) return;
  const params = { name, url: `${env().BASE_URL}/account#passkeys` };
  await queueMail(w.tx, { projectId: scope, template: `passkey-${change}`, recipient: email, params });
}
