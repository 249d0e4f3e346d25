import { AppError } from '#lib/base/errors.ts';
import type { LoginRow } from '#lib/infra/db/schema/login.ts';
import type { EnrolledLogin, LoginResult } from '#lib/protocol/answers/login.ts';
import type { FactorMethod } from '#lib/protocol/factors/answers.ts';
import type { Ctx, Write } from '../access/context.ts';
import { findUser } from '../accounts/find-user.ts';
import { write } from '../audit/write.ts';
import { attemptCode } from '../factors/attempt-code.ts';
import { enrollFactor } from '../factors/enroll-factor.ts';
import { mailCode } from '../factors/mailed-code.ts';
import { spendCode } from '../factors/spend-code.ts';
import { noteFactor } from '../sessions/note-factor.ts';
import { attachMembership } from './choose-profile.ts';
import { notOpen } from './require-open-login.ts';
import { lookAtLogin, nextStep, requireStartedLogin } from './started-login.ts';

/** The second step of a sign-in (contract §1.5): a code of any factor, or a recovery code. Throws 400 and 429 as `attemptCode` says. */
export async function verifyFactor(ctx: Ctx, input: { login: string; token: string }): Promise<LoginResult> {
  const row = await requireStartedLogin(ctx, input.login);
  if (row.factorAt) throw notOpen('Login already verified');
  const { need } = await lookAtLogin(row);
  if (need?.kind !== 'verify') throw notOpen('This sign-in waits for no code');
  const userId = row.userRef.slice('User/'.length);
  await attemptCode(ctx, attemptOf(row), () =>
    write(ctx, async (w) => {
      const how = await spendCode(w.tx, { userId, loginId: row.id }, input.token);
      if (how) await noteProven(w, row, how);
      else w.unchanged();
      return how;
    }),
  );
  return goOn(ctx, row.id);
}

/** The first factor of somebody who must have one, while they sign in. Throws 400 for who has one: that is asked for, not another. */
export async function enrollAtSignIn(
  ctx: Ctx,
  input: { login: string; token: string; method: FactorMethod },
): Promise<EnrolledLogin> {
  const row = await requireStartedLogin(ctx, input.login);
  const { need } = await lookAtLogin(row);
  if (need?.kind === 'passkey') throw notOpen('You have a passkey: sign in with it');
  if (need?.kind !== 'enroll') throw notOpen(need ? 'Already enrolled' : 'This sign-in asks for no second factor');
  const user = await requireUser(row);
  const given = { method: input.method, token: input.token, loginId: row.id, allowed: need.allowed, onlyFirst: true };
  const recoveryCodes = await attemptCode(ctx, attemptOf(row), () =>
    write(ctx, async (w) => {
      const codes = await enrollFactor(w, user, given);
      if (codes) await noteProven(w, row, input.method);
      return codes;
    }),
  );
  return { ...(await goOn(ctx, row.id)), recoveryCodes };
}

/** Mails the code of a sign-in that waits for one. Throws 400 for who has not enrolled it, and need not. */
export async function mailSignInCode(ctx: Ctx, loginId: string): Promise<void> {
  const row = await requireStartedLogin(ctx, loginId);
  const { need } = await lookAtLogin(row);
  const methods = need?.kind === 'enroll' ? need.allowed : need?.kind === 'verify' ? need.methods : [];
  const user = await requireUser(row);
  const { email } = user;
  if (!methods.includes('email') || !email)
    throw new AppError('invalid', 'Not enrolled in e-mail codes', { expression: 'login' });
  await mailCode(ctx, { ...user, email }, row.id);
}

async function requireUser(row: LoginRow) {
  const user = await findUser(row.userRef.slice('User/'.length), placeOf(row));
  if (!user) throw notOpen('Unknown login');
  return user;
}

/** Where the person's account may be, besides above projects. */
function placeOf({ membershipId, projectId, limitedTo }: LoginRow): string | undefined {
  return membershipId ? projectId : (limitedTo ?? undefined);
}

function attemptOf(row: LoginRow) {
  return { userId: row.userRef.slice('User/'.length), projectId: placeOf(row), login: row };
}

async function noteProven(w: Write, row: LoginRow, how: FactorMethod | 'recovery'): Promise<void> {
  await noteFactor(w, row);
  const { projectId, userRef: target } = row;
  w.audit({ projectId, action: 'login.verify', target, after: { method: how } });
  if (how === 'recovery') w.audit({ projectId, action: 'user.factor.recover', target });
}

/** With the row as it is now: where it could only be for one membership, it gets that. */
async function goOn(ctx: Ctx, id: string): Promise<LoginResult> {
  const row = await requireStartedLogin(ctx, id);
  const { only, pass } = await lookAtLogin(row);
  if (!row.membershipId && only && pass)
    return attachMembership(ctx, row, { projectId: only.projectId, membershipId: only.id });
  return nextStep(ctx, row, 'login.resume');
}
