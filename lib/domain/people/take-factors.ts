import { env } from '#lib/base/env.ts';
import { queueMail } from '#lib/infra/mail/queue-mail.ts';
import type { FactorMethod } from '#lib/protocol/factors/answers.ts';
import type { Write } from '../access/context.ts';
import type { FoundUser } from '../accounts/find-user.ts';
import { removeFactors } from '../factors/remove-factors.ts';
import { dropPasskeys } from '../webauthn/end-passkeys.ts';
import { lockPasskeys } from '../webauthn/own-rows.ts';

type What = {
  method?: FactorMethod;
  passkeys?: boolean;
  /** As whom, where that is not the caller. */
  author?: string;
};

/** As an administrator takes them away: the person hears of it by mail. Gives what there was. */
export async function takeFactors(
  w: Write,
  user: FoundUser,
  { method, passkeys, author }: What,
): Promise<{ methods: FactorMethod[]; passkeys: string[] }> {
  // Before the row of the User, as who adds one takes it.
  const names = passkeys ? await dropAll(w, user) : [];
  const methods = method ? await removeFactors(w, user, [method], 'reset', author) : [];
  return { methods, passkeys: names };
}

async function dropAll(w: Write, { id, scope, email: recipient }: FoundUser): Promise<string[]> {
  await lockPasskeys(w, id);
  const names = await dropPasskeys(w, id);
  if (names.length === 0) return names;
  w.audit({ projectId: scope, action: 'user.passkey.remove', target: `User/${id}`, before: { names } });
  const params = { names: names.join(', '), url: `${env().BASE_URL}/resetpassword` };
  if (recipient) await queueMail(w.tx, { projectId: scope, template: 'passkeys-reset', recipient, params });
  return names;
}
