import { randomInt } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { env } from '#lib/base/env.ts';
import { isKeyedHash, keyedHash } from '#lib/infra/crypto/keyed-hash.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import { queueMail } from '#lib/infra/mail/queue-mail.ts';
import type { Ctx } from '../access/context.ts';
import type { FoundUser } from '../accounts/find-user.ts';
import { write } from '../audit/write.ts';
import { throttle } from '../limits/throttle.ts';

const PURPOSE = 'factor-code';
/** The longest that OWASP ASVS 6.5.5 allows. */
const MINUTES = 10;
const MAILS = 5;

/** For which login a code is good, and whose it is. */
export type CodeFor = { userId: string; loginId: string };

/** Mails six digits, good for ten minutes, once, for this login; an earlier one ends. Throws 429 after five in 15 minutes. */
export async function mailCode(ctx: Ctx, user: FoundUser & { email: string }, loginId: string): Promise<void> {
  await throttle(`factor-mail:${user.id}`, MAILS);
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  const hash = keyedHash(PURPOSE, toText({ userId: user.id, loginId }, code));
  const { scope: projectId } = user;
  await write(ctx, async (w) => {
    await w.tx.execute(sql`
      insert into factor_code (user_id, login_id, code_hash, expires_at)
      values (${user.id}, ${loginId}, ${hash}, now() + make_interval(mins => ${MINUTES}))
      on conflict (user_id, login_id) do update set code_hash = excluded.code_hash, expires_at = excluded.expires_at`);
    const params = { code, url: `${env().BASE_URL}/resetpassword` };
    await queueMail(w.tx, { projectId, template: 'factor-code', recipient: user.email, params });
    w.audit({ projectId, action: 'user.factor.send-code', target: `User/${user.id}` });
  });
}

/** Of several at once one gets it. How often it may be guessed, `attemptCode` says. */
export async function spendMailedCode(tx: Queryable, of: CodeFor, given: string): Promise<boolean> {
  const [row] = await tx.execute<{ code_hash: string }>(sql`
    select code_hash from factor_code where user_id = ${of.userId} and login_id = ${of.loginId} and expires_at > now()`);
  if (!row || !isKeyedHash(PURPOSE, toText(of, given), row.code_hash)) return false;
  const spent = await tx.execute(sql`
    delete from factor_code where user_id = ${of.userId} and login_id = ${of.loginId} and code_hash = ${row.code_hash} returning 1`);
  return spent.length === 1;
}

function toText({ userId, loginId }: CodeFor, code: string): string {
  return `${userId}\n${loginId}\n${code}`;
}
