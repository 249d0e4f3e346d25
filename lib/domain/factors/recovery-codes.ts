import { randomBytes } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { hashSecret } from '#lib/infra/crypto/secret.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import { toTextArray } from '#lib/infra/db/text-array.ts';

const HOW_MANY = 10;
/** Crockford's base32: no letter looks like a digit. */
const LETTERS = '0123456789abcdefghjkmnpqrstvwxyz';
const LENGTH = 24;
/** Earlier ones, of 80 bits, are good until they are spent or made anew. */
const EARLIER_LENGTH = 16;

/** Ten new ones, told this once, in the place of all that there were. */
export async function replaceRecoveryCodes(tx: Queryable, userId: string): Promise<string[]> {
  const codes = Array.from({ length: HOW_MANY }, makeCode);
  await dropRecoveryCodes(tx, userId);
  const hashes = codes.map((code) => hashOf(userId, code));
  await tx.execute(
    sql`insert into recovery_code (user_id, code_hash) select ${userId}::uuid, h from unnest(${toTextArray(hashes)}::text[]) h`,
  );
  return codes.map((code) => code.replace(/(.{4})(?=.)/g, '$1-'));
}

export async function dropRecoveryCodes(tx: Queryable, userId: string): Promise<void> {
  await tx.execute(sql`delete from recovery_code where user_id = ${userId}`);
}

export async function countRecoveryCodes(q: Queryable, userId: string): Promise<number> {
  const [row] = await q.execute<{ count: number }>(
    sql`select count(*)::int as count from recovery_code where user_id = ${userId}`,
  );
  return row?.count ?? 0;
}

/** Of several at once one gets it. */
export async function spendRecoveryCode(tx: Queryable, userId: string, given: string): Promise<boolean> {
  const code = given.toLowerCase().replace(/[\s-]/g, '').replace(/o/g, '0').replace(/[il]/g, '1');
  if (code.length !== LENGTH && code.length !== EARLIER_LENGTH) return false;
  const spent = await tx.execute(
    sql`delete from recovery_code where user_id = ${userId} and code_hash = ${hashOf(userId, code)} returning 1`,
  );
  return spent.length === 1;
}

/** 120 bits: of 112 and more a fast hash is enough (OWASP ASVS 6.5.2). */
function makeCode(): string {
  return [...randomBytes(LENGTH)].map((byte) => LETTERS[byte % LETTERS.length]).join('');
}

/** With whose it is, so that one guess is not a guess at everybody's. */
function hashOf(userId: string, code: string): string {
  return hashSecret(`${userId}\n${code}`);
}
