import { eq, sql } from 'drizzle-orm';
import { AppError } from '#lib/base/errors.ts';
import { newSecret } from '#lib/base/ids.ts';
import { hashSecret } from '#lib/infra/crypto/secret.ts';
import { db } from '#lib/infra/db/client.ts';
import { oneTimeLink } from '#lib/infra/db/schema/identity.ts';
import type { LinkKind, RedeemedLink } from '#lib/protocol/answers/link.ts';
import type { Ctx } from '../access/context.ts';
import { networkOf } from '../limits/network-of.ts';
import { throttle } from '../limits/throttle.ts';
import { isLinkCode } from './link-code.ts';

/** Of a million codes: five guesses a link. After that the link itself still works. */
const TRIES = 5;

/**
 * Plan B for a mailed link that cannot be opened: the six digits of the same mail, with the address it went to, become the link with a
 * secret of its own. It spends nothing. Throws one and the same 400 for an unknown address, a wrong, used, expired or worn-out code; 429.
 */
export async function redeemLinkCode(
  ctx: Ctx,
  { email, code }: { email: string; code: string },
): Promise<RedeemedLink> {
  await throttle(`code-from:${networkOf(ctx.remoteAddress)}`, 60);
  await throttle(`code:${email}`, 20);
  // Counted before it is looked at, so that guesses at once are not more guesses.
  const open = await db().execute<{ id: string; kind: LinkKind; code_hash: string }>(sql`
    update one_time_link l set code_tries = code_tries + 1
    from user_login u
    where u.email_lower = ${email} and l.user_id = u.user_id and l.code_hash is not null and l.code_tries < ${TRIES}
      and l.used_at is null and l.superseded_at is null and l.handed_at is null and l.expires_at > now()
    returning l.id, l.kind, l.code_hash`);
  const found = open.find((link) => isLinkCode(link.id, code, link.code_hash));
  if (!found) throw new AppError('invalid', 'This code is not right, or no longer valid', { expression: 'code' });
  const secret = newSecret();
  // The right one was no guess: it may be typed again after a reload.
  await db()
    .update(oneTimeLink)
    .set({ codeSecretHash: hashSecret(secret), codeTries: 0 })
    .where(eq(oneTimeLink.id, found.id));
  return { type: found.kind, id: found.id, secret };
}
