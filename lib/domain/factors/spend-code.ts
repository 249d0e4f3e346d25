import { sql } from 'drizzle-orm';
import { unseal } from '#lib/infra/crypto/seal.ts';
import { stepOfTotp } from '#lib/infra/crypto/totp.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import type { FactorMethod } from '#lib/protocol/factors/answers.ts';
import { type CodeFor, spendMailedCode } from './mailed-code.ts';
import { spendRecoveryCode } from './recovery-codes.ts';
import { SEALED } from './sealed.ts';

/** Which factor a code is of; it is spent with that. Undefined when it is of none that the person has enrolled. */
export async function spendCode(
  tx: Queryable,
  of: CodeFor,
  code: string,
): Promise<FactorMethod | 'recovery' | undefined> {
  const rows = await tx.execute<{ method: FactorMethod; secret_sealed: string | null }>(
    sql`select method, secret_sealed from factor where user_id = ${of.userId} and enrolled_at is not null`,
  );
  if (rows.length === 0) return undefined;
  const sealed = rows.find(({ method }) => method === 'totp')?.secret_sealed;
  const step = sealed ? stepOfTotp(unseal(SEALED.factor.purpose, sealed), code) : undefined;
  if (step !== undefined) return (await spendStep(tx, of.userId, step)) ? 'totp' : undefined;
  if (rows.some(({ method }) => method === 'email') && (await spendMailedCode(tx, of, code))) return 'email';
  return (await spendRecoveryCode(tx, of.userId, code)) ? 'recovery' : undefined;
}

/** A code counts once, and none that is older than one that counted (RFC 6238 §5.2): of several at once one wins. */
async function spendStep(tx: Queryable, userId: string, step: number): Promise<boolean> {
  const spent = await tx.execute(sql`
    update factor set last_step = ${step} where user_id = ${userId} and method = 'totp' and coalesce(last_step, 0) < ${step} returning 1`);
  return spent.length === 1;
}
