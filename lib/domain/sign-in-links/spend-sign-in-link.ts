import { and, eq, gt, lt, sql } from 'drizzle-orm';
import { AppError } from '#lib/base/errors.ts';
import { hashSecret, secretMatches } from '#lib/infra/crypto/secret.ts';
import { db } from '#lib/infra/db/client.ts';
import { signInLink } from '#lib/infra/db/schema/sign-in-link.ts';
import { countSignIn } from '#lib/infra/metrics/count.ts';
import type { SpendLinkRequest } from '#lib/protocol/sign-in/requests.ts';
import type { Ctx } from '../access/context.ts';
import { findAddress } from '../accounts/find-address.ts';
import { networkOf } from '../limits/network-of.ts';
import { takeBack, throttle } from '../limits/throttle.ts';
import { isLinkCode } from '../links/link-code.ts';
import type { LoginRequestFields } from '../sign-in/create-login.ts';
import { noteFailure } from '../sign-in/note-failure.ts';
import { enter, type StartedLogin } from '../sign-in/start-login.ts';

/** Of a million codes: five guesses a mail, and for an address, however many mails it is sent, 25 in thirty days. */
const TRIES = 5;
const TRIES_AN_ADDRESS = { limit: 25, windowSeconds: 30 * 86_400 };
const TRIES_A_NETWORK = 60;
const WORN_OUT = 'Too many wrong codes were typed for this address; open the link in the mail instead';

type Row = typeof signInLink.$inferSelect;

/**
 * The link or the code of a mail, once: from there on as with a password, so that a second factor is asked for. Whoever has the link may sign in
 * where they open it, by a challenge of that browser's own; the code is good only with the id that the browser has which asked for it. One
 * 400 for whatever is wrong, unknown or over; 429.
 */
export async function spendSignInLink(ctx: Ctx, input: SpendLinkRequest, words = ''): Promise<StartedLogin> {
  const from = `sign-in-link-try-from:${networkOf(ctx.remoteAddress)}`;
  await throttle(from, TRIES_A_NETWORK);
  const row = input.code === undefined ? await findByLink(input) : await tryCode(input.id, input.code);
  const request = (row?.request ?? {}) as LoginRequestFields;
  const { codeChallenge, codeChallengeMethod } = input;
  if (row && request.clientId && codeChallenge)
    throw new AppError('invalid', 'The app that began this has given its own', { expression: 'codeChallenge' });
  const userId = row && (await take(row));
  const { projectId } = request;
  if (!(await countSignIn('link', Promise.resolve(userId !== undefined))) || !userId) {
    noteFailure(ctx, row?.userId ?? undefined, { projectId, isRefused: false });
    const which = input.code === undefined ? 'link' : 'code';
    const expression = input.code === undefined ? 'secret' : 'code';
    throw new AppError('invalid', `This ${which} is not right, or no longer valid: ask for another mail`, {
      expression,
    });
  }
  await takeBack(from);
  const proof = { authMethod: 'link', action: 'login.link' } as const;
  const own = codeChallenge ? { codeChallenge, codeChallengeMethod } : {};
  return enter(ctx, { userId, proof }, { ...request, ...own }, words);
}

async function findByLink({ id, secret = '' }: SpendLinkRequest): Promise<Row | undefined> {
  const [row] = await db().select().from(signInLink).where(open(id));
  return row && secretMatches(secret, row.secretHash) ? row : undefined;
}

/** Counted before it is looked at, so that guesses at once are not more guesses; the right one was none. */
async function tryCode(id: string, code: string): Promise<Row | undefined> {
  const [row] = await db()
    .update(signInLink)
    .set({ codeTries: sql`${signInLink.codeTries} + 1` })
    .where(and(open(id), lt(signInLink.codeTries, TRIES)))
    .returning();
  if (!row) return undefined;
  const { limit, windowSeconds } = TRIES_AN_ADDRESS;
  const ofAddress = `sign-in-code:${row.addressHash}`;
  await throttle(ofAddress, limit, { windowSeconds, refusal: WORN_OUT });
  if (!isLinkCode(id, code, row.codeHash)) return undefined;
  await takeBack(ofAddress);
  return row;
}

/** Of several at once one has it. Nobody whose address is another by now. */
async function take({ id, userId, addressHash }: Row): Promise<string | undefined> {
  const [taken] = await db().delete(signInLink).where(open(id)).returning({ id: signInLink.id });
  const email = taken && userId ? await findAddress(userId) : undefined;
  return email !== undefined && hashSecret(email) === addressHash ? (userId ?? undefined) : undefined;
}

function open(id: string) {
  return and(eq(signInLink.id, id), gt(signInLink.expiresAt, new Date()));
}
