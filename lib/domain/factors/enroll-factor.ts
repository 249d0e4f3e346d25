import { sql } from 'drizzle-orm';
import { AppError } from '#lib/base/errors.ts';
import { seal, unseal } from '#lib/infra/crypto/seal.ts';
import { deriveTotpSecret, stepOfTotp } from '#lib/infra/crypto/totp.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import type { FactorMethod } from '#lib/protocol/factors/answers.ts';
import type { Write } from '../access/context.ts';
import type { FoundUser } from '../accounts/find-user.ts';
import { lockRow, requireLive } from '../store/find-row.ts';
import { findFactors } from './find-factors.ts';
import { type CodeFor, spendMailedCode } from './mailed-code.ts';
import { countRecoveryCodes, replaceRecoveryCodes } from './recovery-codes.ts';
import { SEALED } from './sealed.ts';
import { tellFactors } from './tell-factors.ts';

export type NewFactor = {
  method: FactorMethod;
  token: string;
  /** For which login the secret was shown, or the code mailed. */
  loginId: string;
  allowed: readonly FactorMethod[];
  /** Who signs in proves nothing else yet: only the first may be added. */
  onlyFirst?: boolean;
};

/**
 * The factor whose code is brought is asked for from here on. Gives the recovery codes when there were none; undefined when the code is not
 * right. Throws 400 for a factor that is there already, or is not allowed.
 */
export async function enrollFactor(w: Write, user: FoundUser, given: NewFactor): Promise<string[] | undefined> {
  const { method, token, loginId, allowed, onlyFirst } = given;
  if (!allowed.includes(method)) throw refused('This project does not allow this method');
  const row = requireLive(await lockRow(w.tx, user.scope, 'User', user.id));
  const before = await findFactors(w.tx, user.id);
  if (before.includes(method) || (onlyFirst && before.length > 0)) throw refused('Already enrolled');
  const isRight =
    method === 'totp'
      ? await enrollTotp(w.tx, { userId: user.id, loginId }, token)
      : await enrollEmail(w.tx, { userId: user.id, loginId }, token);
  if (!isRight) {
    w.unchanged();
    return undefined;
  }
  await tellFactors(w, { row, action: 'user.factor.enroll', methods: [method], template: 'factor-added' });
  return (await countRecoveryCodes(w.tx, user.id)) > 0 ? [] : replaceRecoveryCodes(w.tx, user.id);
}

async function enrollTotp(tx: Queryable, { userId, loginId }: CodeFor, token: string): Promise<boolean> {
  const [row] = await tx.execute<{ secret_sealed: string }>(
    sql`select secret_sealed from factor where user_id = ${userId} and method = 'totp' and enrolled_at is null for update`,
  );
  const { purpose } = SEALED.factor;
  const secret = row && deriveTotpSecret(unseal(purpose, row.secret_sealed), loginId);
  const step = secret && stepOfTotp(secret, token);
  if (secret === undefined || step === undefined) return false;
  await tx.execute(
    sql`update factor set enrolled_at = now(), last_step = ${step}, secret_sealed = ${seal(purpose, secret)} where user_id = ${userId} and method = 'totp'`,
  );
  return true;
}

async function enrollEmail(tx: Queryable, of: CodeFor, token: string): Promise<boolean> {
  if (!(await spendMailedCode(tx, of, token))) return false;
  await tx.execute(sql`insert into factor (user_id, method, enrolled_at) values (${of.userId}, 'email', now())`);
  return true;
}

function refused(text: string): AppError {
  return new AppError('invalid', text, { expression: 'method' });
}
