import { env } from '#lib/base/env.ts';
import { AppError, notFound } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import { db } from '#lib/infra/db/client.ts';
import { queueMail } from '#lib/infra/mail/queue-mail.ts';
import type { OwnAddress, WaitingChange } from '#lib/protocol/account-changes/answers.ts';
import type { OwnAddressRequest } from '#lib/protocol/own-account/requests.ts';
import type { Ctx } from '../access/context.ts';
import { endChange, findWaiting, toWaiting } from '../account-changes/change-rows.ts';
import { requestChange, toWhen } from '../account-changes/request-change.ts';
import { write } from '../audit/write.ts';
import { membersOf } from '../directory/members-of.ts';
import { throttle, throttleMailTo } from '../limits/throttle.ts';
import { requireUnmanaged } from '../memberships/require-unmanaged.ts';
import { requireOwnAccount } from '../passkeys/require-own-account.ts';
import { requireNoInvite } from '../people/apply-change.ts';
import { isFreeAddress } from '../people/change-address.ts';
import { lockUser } from '../people/lock-user.ts';
import { lastFactor, requireFactorProof } from '../proofs/require-factor-proof.ts';
import { requireFactorShown } from '../sign-in/require-factor-shown.ts';
import { requireUnenforced } from '../ways/require-unenforced.ts';

/** In a day: each is a mail to two people. */
const REQUESTS = { limit: 5, windowSeconds: 86_400 };
const HOUR_MS = 3_600_000;

/** GET /auth/address: what the caller signs in with, and what of how they sign in waits to be changed. Throws 403 for who has not signed in themselves. */
export async function readOwnAddress(ctx: Ctx): Promise<OwnAddress> {
  const { user, login } = await requireOwnAccount(ctx);
  const changes = (await findWaiting(db(), user.id)).map(toWaiting);
  return {
    email: user.email ?? null,
    strong: lastFactor(login) !== undefined,
    waitHours: env().ADDRESS_CHANGE_HOURS,
    changes,
  };
}

/**
 * POST /auth/address: another address to sign in with, for who may have lost the present one. It is asked for with a second step or a passkey beside
 * the password, shown no longer than ten minutes ago, as the sign-in asks at its strictest; the new address confirms it by a link; the present one is told at once, and can stop it for
 * `ADDRESS_CHANGE_HOURS`. Whether the new one has an account is told to its mailbox alone. Throws 400 naming `email`, 403 for a session that has shown
 * less, 409 while another waits, where a directory or an enforced domain manages the address, or an invitation waits at the present one; 429.
 */
export async function requestOwnAddress(ctx: Ctx, { email }: OwnAddressRequest): Promise<WaitingChange> {
  const { user, login } = await requireOwnAccount(ctx);
  await requireFactorShown(login);
  if (!lastFactor(login)) throw notStrong();
  requireFactorProof(login);
  if (email === user.email) throw new AppError('invalid', 'This is your address already', { expression: 'email' });
  await throttle(`own-address:${user.id}`, REQUESTS.limit, REQUESTS);
  await throttleMailTo(email);
  return write(ctx, async (w) => {
    const locked = await lockUser(w.tx, user, [user.email, email]);
    for (const member of await membersOf(user.id, w.tx))
      await requireUnmanaged(w.tx, w.actor, member, 'Your e-mail address');
    if (user.email) await requireUnenforced(w.tx, user.id, user.email);
    await requireNoInvite(w, { ...locked.user, scope: user.scope });
    const waitMs = env().ADDRESS_CHANGE_HOURS * HOUR_MS;
    const asked = { user, kind: 'address', detail: { email }, waitMs, askedBy: `User/${user.id}` } as const;
    const { row, confirmUrl } = await requestChange(w, { ...asked, confirmed: true });
    const mail = { projectId: user.scope, recipient: email };
    if (await isFreeAddress(w, locked, email)) {
      const params = { url: confirmUrl, when: toWhen(row.dueAt) };
      await queueMail(w.tx, { ...mail, template: 'address-confirm', params });
    } else await queueMail(w.tx, { ...mail, template: 'address-taken', params: { url: `${env().BASE_URL}/signin` } });
    return toWaiting(row);
  });
}

/** DELETE /auth/changes/:id: the caller takes back what waits of their own account, whoever asked for it. Throws 403, and 404 for one that does not wait. */
export async function cancelOwnChange(ctx: Ctx, changeId: string): Promise<void> {
  const { user } = await requireOwnAccount(ctx);
  const waiting = isUuid(changeId) ? await findWaiting(db(), user.id) : [];
  const row = waiting.find(({ id }) => id === changeId.toLowerCase());
  if (!row) throw notFound();
  await write(ctx, async (w) => {
    if (!(await endChange(w, row.id, 'cancelled'))) throw notFound();
    for (const projectId of new Set([row.scope, row.projectId ?? row.scope]))
      w.audit({ projectId, action: 'user.change.cancel', target: `User/${user.id}`, before: { kind: row.kind } });
  });
}

function notStrong(): AppError {
  return new AppError(
    'forbidden',
    'A password alone does not change the address: sign in with a second step or a passkey, which you can add here first',
  );
}
