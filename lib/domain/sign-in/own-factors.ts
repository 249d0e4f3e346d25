import { AppError } from '#lib/base/errors.ts';
import { db } from '#lib/infra/db/client.ts';
import type { LoginRow } from '#lib/infra/db/schema/login.ts';
import type { FactorMethod, FactorStatus, RecoveryCodes } from '#lib/protocol/factors/answers.ts';
import { type Ctx, requireAccount } from '../access/context.ts';
import { type FoundUser, findUser } from '../accounts/find-user.ts';
import { write } from '../audit/write.ts';
import { attemptCode } from '../factors/attempt-code.ts';
import { enrollFactor } from '../factors/enroll-factor.ts';
import { findAllowedFactors } from '../factors/find-allowed-factors.ts';
import { findFactors } from '../factors/find-factors.ts';
import { mailCode } from '../factors/mailed-code.ts';
import { offerTotp } from '../factors/offer-totp.ts';
import { countRecoveryCodes, replaceRecoveryCodes } from '../factors/recovery-codes.ts';
import { removeFactors } from '../factors/remove-factors.ts';
import { spendCode } from '../factors/spend-code.ts';
import { requireProof } from '../proofs/require-proof.ts';
import { noteFactor } from '../sessions/note-factor.ts';
import { findOwnLogin } from './find-own-login.ts';
import { requireFactorShown } from './require-factor-shown.ts';

/** Who is signed in themselves, where: what is said here is of that login. */
type Own = { user: FoundUser; projectId: string; loginId: string; login: LoginRow };

/** GET /auth/mfa/status: what the caller has enrolled, and what they may, with a secret for a new authenticator. */
export async function readFactorStatus(ctx: Ctx): Promise<FactorStatus> {
  const { user, projectId, loginId } = await requireOwn(ctx);
  const [methods, allowed, recoveryCodesLeft] = await Promise.all([
    findFactors(db(), user.id),
    findAllowedFactors(db(), projectId),
    countRecoveryCodes(db(), user.id),
  ]);
  return {
    enrolled: methods.length > 0,
    enrolledMethods: methods,
    allowedMethods: allowed,
    ...(user.email && { email: user.email }),
    ...(!methods.includes('totp') && (await offerTotp({ userId: user.id, loginId }, user.email ?? user.id))),
    recoveryCodesLeft,
  };
}

/**
 * POST /auth/mfa/enroll. The session that brings the code has proven it. Gives the recovery codes, if there were none. Throws 403 for a session
 * that has not shown what there is already: with one of its own it would need no other.
 */
export async function enrollOwnFactor(
  ctx: Ctx,
  { token, method }: { token: string; method: FactorMethod },
): Promise<string[]> {
  const { user, projectId, loginId, login } = await requireOwn(ctx);
  await requireFactorShown(login);
  await requireProof(ctx.actor);
  const allowed = await findAllowedFactors(db(), projectId);
  return attemptCode(ctx, { userId: user.id, projectId }, () =>
    write(ctx, async (w) => {
      const codes = await enrollFactor(w, user, { method, token, loginId, allowed });
      if (codes) await noteFactor(w, { projectId, id: loginId });
      return codes;
    }),
  );
}

/** POST /auth/mfa/disable: takes a factor away, or all of them, for a code of any. Throws 400 for one that is not there. */
export async function disableOwnFactor(
  ctx: Ctx,
  { token, method }: { token: string; method?: FactorMethod },
): Promise<void> {
  const own = await requireOwn(ctx);
  const { user } = own;
  await requireEnrolled(user.id, method);
  await withCode(ctx, own, token, (w) => removeFactors(w, user, method ? [method] : ['totp', 'email'], 'remove'));
}

/** POST /auth/mfa/recovery-codes: ten new ones, for a code of any factor; the old ones end. */
export async function renewRecoveryCodes(ctx: Ctx, { token }: { token: string }): Promise<RecoveryCodes> {
  const own = await requireOwn(ctx);
  const { user } = own;
  await requireEnrolled(user.id);
  const recoveryCodes = await withCode(ctx, own, token, async (w) => {
    w.audit({ projectId: user.scope, action: 'user.factor.renew-codes', target: `User/${user.id}` });
    return replaceRecoveryCodes(w.tx, user.id);
  });
  return { recoveryCodes };
}

/** POST /auth/mfa/send-email-challenge: a code for the caller's own mailbox, to enrol it or to prove themselves with it. */
export async function mailOwnCode(ctx: Ctx): Promise<void> {
  const { user, loginId } = await requireOwn(ctx);
  const { email } = user;
  if (!email) throw new AppError('invalid', 'This account has no e-mail address', { expression: 'email' });
  await mailCode(ctx, { ...user, email }, loginId);
}

/** No app, no program and no administrator in their place: what they sign in with would be another's. */
async function requireOwn(ctx: Ctx): Promise<Own> {
  const actor = requireAccount(ctx);
  const login = await findOwnLogin(actor);
  const { projectId } = actor;
  const user = login && (await findUser(actor.user.slice('User/'.length), projectId));
  if (!user)
    throw new AppError('forbidden', 'Only a person who has signed in themselves sees and changes their second factor');
  return { user, projectId, loginId: login.id, login };
}

async function requireEnrolled(userId: string, method?: FactorMethod): Promise<void> {
  const methods = await findFactors(db(), userId);
  if (method ? methods.includes(method) : methods.length > 0) return;
  throw new AppError('invalid', method ? `Not enrolled in ${method}` : 'Not enrolled', { expression: 'method' });
}

type Run<T> = (w: Parameters<Parameters<typeof write>[1]>[0]) => Promise<T>;

/** What is done for a right code, in the transaction that spends it. */
function withCode<T>(ctx: Ctx, { user, projectId, loginId }: Own, token: string, run: Run<T>): Promise<T> {
  return attemptCode(ctx, { userId: user.id, projectId }, () =>
    write(ctx, async (w) => {
      const how = await spendCode(w.tx, { userId: user.id, loginId }, token);
      if (!how) {
        w.unchanged();
        return undefined;
      }
      if (how === 'recovery')
        w.audit({ projectId: user.scope, action: 'user.factor.recover', target: `User/${user.id}` });
      return run(w);
    }),
  );
}
