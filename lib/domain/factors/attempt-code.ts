import { AppError } from '#lib/base/errors.ts';
import type { LoginRow } from '#lib/infra/db/schema/login.ts';
import type { Ctx } from '../access/context.ts';
import { findUser } from '../accounts/find-user.ts';
import { write } from '../audit/write.ts';
import { takeBack, takeRoom, throttle, tooMany } from '../limits/throttle.ts';
import { endLogins } from '../sessions/end-logins.ts';

/** Wrong codes of a person in 15 minutes, and of a sign-in before it ends (contract §1.5). */
const PER_USER = 10;
const PER_LOGIN = 5;
/** No sign-in waits for longer. */
const LOGIN_SECONDS = 3600;

type Attempt = {
  userId: string;
  /** Where the person's account may be. */
  projectId: string | undefined;
  /** The sign-in that waits for the code, if one does. */
  login?: LoginRow;
};

/**
 * What `run` gives of a right code. Undefined counts as a wrong one: 400 naming `token`, and with the fifth the sign-in is over. Counted
 * before it is looked at, so that guesses at once are not more guesses. Throws 429 after ten of a person, right or not.
 */
export async function attemptCode<T>(ctx: Ctx, attempt: Attempt, run: () => Promise<T | undefined>): Promise<T> {
  const { userId, login } = attempt;
  const ofUser = `factor:${userId}`;
  const ofLogin = login && `factor-login:${login.id}`;
  await throttle(ofUser, PER_USER);
  const { count, wait } = ofLogin ? await takeRoom(ofLogin, LOGIN_SECONDS, PER_LOGIN) : { count: 0, wait: 0 };
  if (count > PER_LOGIN) {
    await takeBack(ofUser);
    throw tooMany(wait, 'Too many wrong codes: sign in again');
  }
  const forgive = async () => {
    await takeBack(ofUser);
    if (ofLogin) await takeBack(ofLogin);
  };
  const result = await run().catch(async (error: unknown) => {
    await forgive();
    throw error;
  });
  if (result !== undefined) {
    await forgive();
    return result;
  }
  const isLast = count === PER_LOGIN;
  await noteFailure(ctx, attempt, isLast);
  const text = isLast ? 'Too many wrong codes: sign in again' : 'This code is not right, or was used already';
  throw new AppError('invalid', text, { expression: 'token' });
}

async function noteFailure(ctx: Ctx, { userId, projectId, login }: Attempt, endsLogin: boolean): Promise<void> {
  const scope = (await findUser(userId, projectId))?.scope ?? login?.projectId;
  if (scope === undefined) return;
  await write(ctx, async (w) => {
    if (login && endsLogin) await endLogins(w, { projectId: login.projectId, loginId: login.id });
    w.audit({ projectId: scope, action: 'user.factor.failed', target: `User/${userId}`, outcome: 4 });
  });
}
