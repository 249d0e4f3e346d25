import { createHmac } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { AppError } from '#lib/base/errors.ts';
import { deriveKey, keyring } from '#lib/infra/crypto/keyring.ts';
import { hashSecret } from '#lib/infra/crypto/secret.ts';
import { db } from '#lib/infra/db/client.ts';
import { oneTimeLink } from '#lib/infra/db/schema/login.ts';
import type { LinkKind, RedeemedLink } from '#lib/protocol/answers/link.ts';
import type { Ctx } from '../access/context.ts';
import { networkOf } from '../limits/network-of.ts';
import { takeBack, throttle } from '../limits/throttle.ts';
import { isLinkCode } from './link-code.ts';

/** Of a million codes: five guesses a link, and of a person, however many links are mailed to them, 25 in thirty days. */
const TRIES = 5;
const TRIES_OF_PERSON = { limit: 25, windowSeconds: 30 * 86_400 };
const WORN_OUT = 'Too many wrong codes were typed for this address; open the link in the mail instead';

/**
 * Plan B for a mailed link that cannot be opened: the six digits of the newest mail, with the address it went to, become the link with a
 * secret of its own. It spends nothing. After too many guesses the link itself still works. Throws one and the same 400 for an unknown
 * address, a wrong, used, expired or worn-out code; 429.
 */
export async function redeemLinkCode(
  ctx: Ctx,
  { email, code }: { email: string; code: string },
): Promise<RedeemedLink> {
  const { limit, windowSeconds } = TRIES_OF_PERSON;
  const [from, of] = [`code-from:${networkOf(ctx.remoteAddress)}`, `code:${email}`];
  await throttle(from, 60);
  await throttle(of, limit, { windowSeconds, refusal: WORN_OUT });
  const found = (await countTry(email)).find((link) => isLinkCode(link.id, code, link.code_hash));
  if (!found) throw new AppError('invalid', 'This code is not right, or no longer valid', { expression: 'code' });
  await takeBack(from);
  await takeBack(of);
  const secret = secretFor(found);
  // The right one was no guess: it may be typed again after a reload.
  await db()
    .update(oneTimeLink)
    .set({ codeSecretHash: hashSecret(secret), codeTries: 0 })
    .where(eq(oneTimeLink.id, found.id));
  return { type: found.kind, id: found.id, secret };
}

/** The same for each time that this code is typed: of a double press both answers hold, whichever arrives. */
function secretFor({ id, code_hash }: { id: string; code_hash: string }): string {
  const key = deriveKey(keyring()[0], 'secret of a redeemed code');
  return createHmac('sha256', key).update(`${id} ${code_hash}`).digest('base64url');
}

/**
 * One link of each account with this address: that of the newest mail, if it is open. Counted before it is looked at, so that guesses at
 * once are not more guesses.
 */
async function countTry(email: string): Promise<{ id: string; kind: LinkKind; code_hash: string }[]> {
  return db().execute(sql`
    update one_time_link l set code_tries = code_tries + 1
    from user_login u cross join lateral (
      select id from one_time_link n where n.user_id = u.user_id and n.code_hash is not null order by n.created_at desc, n.id limit 1) as newest
    where u.email_lower = ${email} and l.id = newest.id and l.code_tries < ${TRIES}
      and l.used_at is null and l.superseded_at is null and l.handed_at is null and l.expires_at > now()
    returning l.id, l.kind, l.code_hash`);
}
