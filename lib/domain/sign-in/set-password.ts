import { env } from '#lib/base/env.ts';
import { AppError } from '#lib/base/errors.ts';
import { SERVER_SCOPE } from '#lib/base/ids.ts';
import { hashPassword } from '#lib/infra/crypto/password.ts';
import { db } from '#lib/infra/db/client.ts';
import { queueMail } from '#lib/infra/mail/queue-mail.ts';
import { FACTOR_METHODS } from '#lib/protocol/factors/answers.ts';
import type { User } from '#lib/protocol/fhir/types.ts';
import type { Ctx, Write } from '../access/context.ts';
import { endWaiting } from '../account-changes/change-rows.ts';
import { type FoundUser, findUserAnywhere } from '../accounts/find-user.ts';
import { requirePassword } from '../accounts/require-password.ts';
import { savePassword } from '../accounts/save-password.ts';
import { tellPassword } from '../accounts/tell-password.ts';
import { write } from '../audit/write.ts';
import { noteDevice } from '../devices/note-device.ts';
import { removeFactors } from '../factors/remove-factors.ts';
import { forgiveSignIn } from '../limits/attempt-sign-in.ts';
import { rememberDevice } from '../limits/known-device.ts';
import { requireLink } from '../links/find-link.ts';
import { requireOpenLink, spendLink } from '../links/spend-link.ts';
import { lockRow, requireLive } from '../store/find-row.ts';
import { toResource } from '../store/row.ts';
import { updateRow } from '../store/update-row.ts';
import { dropPasskeys } from '../webauthn/end-passkeys.ts';

/**
 * Spends an invite or reset link: the new password, every other session ended, the address proven if it came by mail. Of several at once exactly one wins.
 * From then on the browser is a known device: returns what it is to keep beside `words`, and strangers who guess keep nobody waiting.
 * Throws 404 for an unknown id and 400 for everything else that is wrong with the link or the password.
 */
export async function setPassword(
  ctx: Ctx,
  input: { id: string; secret: string; password: string },
  words = '',
): Promise<string> {
  const link = await requireLink(db(), input.id, input.secret);
  // By name: a kind that is made later, or that lives for weeks as the way back into a closed project, sets no password by itself.
  if (link.kind !== 'invite' && link.kind !== 'reset')
    throw new AppError('invalid', 'Invalid security request type', { expression: 'id' });
  await requireOpenLink(db(), link);
  const user = await findUserAnywhere(link.userId, link.projectId ?? undefined);
  await requirePassword(input.password, 'password', [user?.firstName ?? '', user?.lastName ?? '', user?.email ?? '']);
  const passwordHash = await hashPassword(input.password);
  const device = rememberDevice(words, link.userId);
  await write(ctx, async (w) => {
    await spendLink(w, link);
    await savePassword(w, link.userId, passwordHash);
    // By a mail to the present address: it is not lost, and who asked for another may have been somebody else.
    if (!link.handedAt) await endWaiting(w, { userId: link.userId, kind: 'address' });
    if (user && user.emailVerified !== true) {
      await dropStrange(w, user);
      // By the invitation its owner comes; a reset, which anybody with the mailbox asks for, takes no second factor away.
      if (link.kind === 'invite') await removeFactors(w, user, [...FACTOR_METHODS], 'remove');
    }
    const scope = user?.scope ?? SERVER_SCOPE;
    const row = requireLive(await lockRow(w.tx, scope, 'User', link.userId));
    await noteDevice(w.tx, link.userId, device.token, ctx);
    // A link that was handed to somebody proves nothing about the address.
    const proven = link.handedAt ? {} : { emailVerified: true };
    await updateRow(w, row, { ...toResource<User>(row), ...proven }, `User/${link.userId}`);
    const action = link.kind === 'invite' ? 'invite.accept' : 'user.password.reset';
    w.audit({
      projectId: link.projectId ?? scope,
      action,
      target: link.membershipId ? `ProjectMembership/${link.membershipId}` : `User/${link.userId}`,
    });
    if (link.kind === 'reset' && user?.email) await tellPassword(w, { scope, email: user.email });
  });
  if (user?.email) await forgiveSignIn(user.email);
  return device.words;
}

/**
 * Of an account whose address nobody had proven. It may have been made by somebody who does not have it, to be there already when its owner
 * comes: a passkey of theirs would outlive the new password, and their second factor would keep the owner out.
 */
async function dropStrange(w: Write, { id, scope: projectId, email: recipient }: FoundUser): Promise<void> {
  const names = await dropPasskeys(w, id);
  if (names.length === 0) return;
  w.audit({ projectId, action: 'user.passkey.remove', target: `User/${id}`, before: { names } });
  const params = { name: names.join(', '), url: `${env().BASE_URL}/account#passkeys` };
  if (recipient) await queueMail(w.tx, { projectId, template: 'passkey-removed', recipient, params });
}
