import { sql } from 'drizzle-orm';
import { seal, unseal } from '#lib/infra/crypto/seal.ts';
import { deriveTotpSecret, makeTotpSecret, toQrCode, toTotpUri } from '#lib/infra/crypto/totp.ts';
import { db } from '#lib/infra/db/client.ts';
import type { Enrolment } from '#lib/protocol/factors/answers.ts';
import type { CodeFor } from './mailed-code.ts';
import { SEALED } from './sealed.ts';

/**
 * The secret for a new authenticator, of this login alone: whoever else has the password is shown another one. The same for an hour, so that two tabs
 * show one, and then another. It asks nothing of anybody until a
 * code of it is brought, so it is no change that the audit log would know. Undefined for who has an authenticator.
 */
export async function offerTotp({ userId, loginId }: CodeFor, account: string): Promise<Enrolment | undefined> {
  const fresh = seal(SEALED.factor.purpose, makeTotpSecret());
  await db().execute(sql`
    insert into factor (user_id, method, secret_sealed) values (${userId}, 'totp', ${fresh})
    on conflict (user_id, method) do update set secret_sealed = excluded.secret_sealed, created_at = now()
    where factor.enrolled_at is null and factor.created_at < now() - interval '1 hour'`);
  const [row] = await db().execute<{ secret_sealed: string }>(
    sql`select secret_sealed from factor where user_id = ${userId} and method = 'totp' and enrolled_at is null`,
  );
  if (!row) return undefined;
  const enrollUri = toTotpUri(deriveTotpSecret(unseal(SEALED.factor.purpose, row.secret_sealed), loginId), account);
  return { enrollUri, enrollQrCode: toQrCode(enrollUri) };
}
