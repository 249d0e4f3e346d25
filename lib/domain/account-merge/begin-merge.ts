import { AppError } from '#lib/base/errors.ts';
import { SERVER_SCOPE } from '#lib/base/ids.ts';
import type { MergeBegun } from '#lib/protocol/account-merge/answers.ts';
import type { MergeRequest } from '#lib/protocol/account-merge/requests.ts';
import type { LoginResult } from '#lib/protocol/answers/login.ts';
import type { FactorMethod } from '#lib/protocol/factors/answers.ts';
import type { Ctx } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { throttle } from '../limits/throttle.ts';
import { findLogin } from '../sessions/find-login.ts';
import { startLogin } from '../sign-in/start-login.ts';
import { insertMerge } from './merge-rows.ts';
import { requireMerger } from './require-merger.ts';

/** In an hour, of one person: each is a sign-in, and may be a mail. */
const BEGUN = { limit: 10, windowSeconds: 3600 };

const NO_SECOND_STEP =
  'That account has no second step to show, and a password alone does not merge it: sign in to it, add one on its account page, and come back';
const BY_PASSKEY =
  'That account is signed in to with its passkey: sign in to it, add two-step sign-in on its account page, and come back';

/**
 * POST /auth/merge: the first step of a sign-in to another account of the caller's, with the throttles and the one text of every sign-in. Only accounts
 * above projects are found. `words`, `device`: as `startLogin` has them. Throws 400 as a sign-in does, and 403 as `requireMerger`; 409 where that
 * account has no second step; 429.
 */
export async function beginMerge(
  ctx: Ctx,
  input: MergeRequest,
  words: string,
): Promise<{ result: MergeBegun; device: string }> {
  const { user, login } = await requireMerger(ctx);
  await throttle(`merge:${user.id}`, BEGUN.limit, BEGUN);
  // Nobody is signed in to that account: it is a sign-in as any other.
  const { result, device } = await startLogin({ ...ctx, actor: undefined }, { ...input, projectId: 'new' }, words);
  const other = await findLogin({ projectId: SERVER_SCOPE, id: result.login });
  if (!other) throw new AppError('conflict', 'The sign-in has ended: begin again');
  const otherUserId = other.userRef.slice('User/'.length);
  if (otherUserId === user.id) {
    throw new AppError('invalid', 'This is the account that you are signed in to', { expression: 'email' });
  }
  const mfaMethods = requireSecondStep(result);
  const begun = await write(ctx, async (w) => {
    w.audit({
      projectId: SERVER_SCOPE,
      action: 'user.merge.begin',
      target: other.userRef,
      after: { into: login.userRef },
    });
    return insertMerge(w, { loginId: login.id, userId: user.id, otherUserId, otherLoginId: other.id });
  });
  const { handle, expiresAt } = begun;
  return { result: { handle, expiresAt: expiresAt.toISOString(), mfaMethods }, device };
}

/** The present address changes by no password alone either (own-address.ts). */
function requireSecondStep(result: LoginResult): FactorMethod[] {
  const { mfaMethods = [] } = result as { mfaMethods?: string[] };
  if (mfaMethods.includes('passkey')) throw new AppError('conflict', BY_PASSKEY);
  if (mfaMethods.length === 0) throw new AppError('conflict', NO_SECOND_STEP);
  return mfaMethods as FactorMethod[];
}
