import { createLanes } from '#lib/base/lane.ts';
import { SIGNING_IN } from '#lib/infra/crypto/password.ts';
import { networkOf } from './network-of.ts';
import { clearThrottle, takeBack, throttle } from './throttle.ts';

export type Attempt = {
  /** In small letters: each account has one, so it names the account, whatever else the request says, and tells nobody whether there is one. */
  email: string;
  userId: string | undefined;
  /** As `knownDevice` names it, when the account has been signed in to from there. */
  device: string | undefined;
  remoteAddress: string;
};

type Counter = { key: string; limit: number; windowSeconds?: number };

const DAY = 86_400;

/**
 * Runs `verify`, or throws 429 without it, right password or not. Strangers have ten wrong tries for an account in 15 minutes and a hundred a
 * day, from wherever, and 200 from one network, for whatever accounts; a known device has ten of its own, so that nobody else can lock its
 * owner out. Counted before it is looked at, so that guesses at once are not more guesses; what was right is no guess.
 */
export async function attemptSignIn(attempt: Attempt, verify: () => Promise<boolean>): Promise<boolean> {
  const counters = countersOf(attempt);
  await countAll(counters);
  const isRight = await inTurn(networkOf(attempt.remoteAddress), verify);
  if (isRight) {
    for (const { key } of counters) await takeBack(key);
    await clearThrottle(counters[0]!.key);
  }
  return isRight;
}

/** One password of a network after the other: a crowd from one place waits for itself, and not everybody for it. */
const inTurn = createLanes(1, SIGNING_IN);

/** Who has proven that the mailbox is theirs need not wait for strangers. */
export async function forgiveSignIn(email: string): Promise<void> {
  for (const { key } of ofAccount(email)) await clearThrottle(key);
}

/** The first is forgiven as a whole by a success. */
function countersOf({ email, userId, device, remoteAddress }: Attempt): Counter[] {
  if (device) {
    return [
      { key: `login-device:${device}`, limit: 10 },
      { key: `login-devices:${userId}`, limit: 100, windowSeconds: DAY },
    ];
  }
  return [...ofAccount(email), { key: `login-from:${networkOf(remoteAddress)}`, limit: 200 }];
}

function ofAccount(email: string): Counter[] {
  return [
    { key: `login:${email}`, limit: 10 },
    { key: `login-today:${email}`, limit: 100, windowSeconds: DAY },
  ];
}

/** All of them or none: what one refuses counts nowhere. */
async function countAll(counters: Counter[]): Promise<void> {
  const counted: Counter[] = [];
  try {
    for (const counter of counters) {
      await throttle(counter.key, counter.limit, counter);
      counted.push(counter);
    }
  } catch (error) {
    for (const { key } of counted) await takeBack(key);
    throw error;
  }
}
