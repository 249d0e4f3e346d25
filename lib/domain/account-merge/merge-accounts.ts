import { env } from '#lib/base/env.ts';
import { AppError } from '#lib/base/errors.ts';
import type { LoginRow } from '#lib/infra/db/schema/login.ts';
import { queueMail } from '#lib/infra/mail/queue-mail.ts';
import type { Merge } from '#lib/protocol/account-merge/answers.ts';
import type { MergeHandleRequest } from '#lib/protocol/account-merge/requests.ts';
import type { Ctx, Write } from '../access/context.ts';
import { endWaiting, findWaiting } from '../account-changes/change-rows.ts';
import { deleteUser } from '../accounts/delete-user.ts';
import { dropPassword } from '../accounts/drop-password.ts';
import { write } from '../audit/write.ts';
import { endConsents } from '../authorize/end-consents.ts';
import { membersOf } from '../directory/members-of.ts';
import { dropFactors } from '../factors/drop-factors.ts';
import { throttle } from '../limits/throttle.ts';
import type { OwnAccount } from '../passkeys/require-own-account.ts';
import { endLogins } from '../sessions/end-logins.ts';
import { endPersonKeys } from '../sessions/end-person-keys.ts';
import { dropPasskeys } from '../webauthn/end-passkeys.ts';
import { lockBoth } from './lock-both.ts';
import { spendMerge } from './merge-rows.ts';
import { moveMembership } from './move-membership.ts';
import { requireMerger } from './require-merger.ts';
import { requireShown } from './require-shown.ts';

/** In an hour, of one person: each locks what both accounts have. */
const LOOKS = { limit: 30, windowSeconds: 3600 };

/** Of both together: more are not shown to choose from at a sign-in. */
const MOST_MEMBERSHIPS = 100;

/** Ends a transaction that was but to show what it would do. */
class Rehearsed extends Error {}

/**
 * POST /auth/merge/preview: what confirming would do, found out by doing it and taking it back, so that the two cannot differ. Throws what
 * `confirmMerge` would.
 */
export async function previewMerge(ctx: Ctx, { handle }: MergeHandleRequest): Promise<Merge> {
  const own = await requireMerger(ctx);
  await throttle(`merge-look:${own.user.id}`, LOOKS.limit, LOOKS);
  let shown: Merge | undefined;
  try {
    await write(ctx, async (w) => {
      shown = await merge(w, own, handle);
      throw new Rehearsed();
    });
  } catch (error) {
    if (!(error instanceof Rehearsed) || !shown) throw error;
  }
  return shown!;
}

/**
 * POST /auth/merge/confirm: the account that was shown ends, and the caller's has its memberships, in one transaction. Throws 400 for a handle
 * that is spent or not this session's, 403 as `requireMerger`, and 409, naming the project, for what stands against it.
 */
export async function confirmMerge(ctx: Ctx, { handle }: MergeHandleRequest): Promise<Merge> {
  const own = await requireMerger(ctx);
  await throttle(`merge-look:${own.user.id}`, LOOKS.limit, LOOKS);
  return write(ctx, (w) => merge(w, own, handle));
}

async function merge(w: Write, own: OwnAccount, handle: string): Promise<Merge> {
  const row = await spendMerge(w, own.login.id, handle);
  await requireShown(w.tx, row, own.login);
  const { from, into } = await lockBoth(w, own.user, row.otherUserId);
  // Whoever was there before has ended one of them, perhaps.
  const shown = await requireShown(w.tx, row, own.login);
  await requireStays(w, into.user.id);
  const coming = await membersOf(from.user.id, w.tx);
  const present = await membersOf(into.user.id, w.tx);
  if (coming.length + present.length > MOST_MEMBERSHIPS) {
    throw new AppError('conflict', `Both accounts together have more than ${MOST_MEMBERSHIPS} memberships`);
  }
  const ends = await endWhatIsTheirs(w, from.user.id);
  const memberships = [];
  const logins: { from: LoginRow; into: LoginRow } = { from: shown, into: own.login };
  for (const member of coming) memberships.push(await moveMembership(w, { member, present, from, into, logins }));
  await deleteUser(w, from.row, `User/${from.user.id}`);
  const told = { from: from.user.email ?? '', into: into.user.email ?? '' };
  const audited = { target: `User/${from.user.id}`, after: { into: `User/${into.user.id}`, ends } };
  w.audit({ projectId: from.row.projectId, action: 'user.merge', ...audited });
  w.stands({ userId: into.user.id });
  await tellBoth(w, from.row.projectId, told);
  return { ...told, memberships, ends };
}

/** What comes over would be erased with it, when it has waited. */
async function requireStays(w: Write, userId: string): Promise<void> {
  const waiting = await findWaiting(w.tx, userId);
  if (!waiting.some(({ kind }) => kind === 'erase')) return;
  throw new AppError('conflict', 'Your account is to be erased: take that back first, or what comes over goes with it');
}

/** Before the memberships move: what is of them is the person's of before. */
async function endWhatIsTheirs(w: Write, userId: string): Promise<Merge['ends']> {
  const userRef = `User/${userId}`;
  const keys = await endPersonKeys(w, userRef);
  const sessions = await endLogins(w, { user: userRef });
  const consents = await endConsents(w, userRef);
  const passkeys = (await dropPasskeys(w, userId)).length;
  const factors = await dropFactors(w, userId);
  await dropPassword(w, userId);
  for (const kind of ['address', 'factors', 'erase'] as const) await endWaiting(w, { userId, kind });
  return { sessions, passkeys, factors, keys, consents };
}

async function tellBoth(w: Write, projectId: string, told: { from: string; into: string }): Promise<void> {
  const params = { ...told, url: `${env().BASE_URL}/signin` };
  for (const recipient of [told.from, told.into])
    if (recipient) await queueMail(w.tx, { projectId, template: 'account-merged', recipient, params });
}
