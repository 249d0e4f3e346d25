import { eq } from 'drizzle-orm';
import { AppError } from '#lib/base/errors.ts';
import { newSecret } from '#lib/base/ids.ts';
import { hashSecret, secretMatches } from '#lib/infra/crypto/secret.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import { accountMerge, type MergeRow } from '#lib/infra/db/schema/account-merge.ts';
import { MERGE_MINUTES } from '#lib/protocol/account-merge/answers.ts';
import type { Write } from '../access/context.ts';

type NewMerge = Pick<MergeRow, 'loginId' | 'userId' | 'otherUserId' | 'otherLoginId'>;

/** What the session had begun before is superseded. The handle is in the result and nowhere else. */
export async function insertMerge(w: Write, of: NewMerge): Promise<{ handle: string; expiresAt: Date }> {
  const handle = newSecret();
  const expiresAt = new Date(Date.now() + MERGE_MINUTES * 60_000);
  const row = { ...of, secretHash: hashSecret(handle), createdAt: new Date(), expiresAt };
  await w.tx.insert(accountMerge).values(row).onConflictDoUpdate({ target: accountMerge.loginId, set: row });
  return { handle, expiresAt };
}

/** Of this session, while it is good. Throws 400 naming `handle`: of another session it looks the same as an unknown one. */
export async function requireMerge(q: Queryable, loginId: string, handle: string): Promise<MergeRow> {
  const [row] = await q.select().from(accountMerge).where(eq(accountMerge.loginId, loginId));
  if (row && secretMatches(handle, row.secretHash) && row.expiresAt > new Date()) return row;
  const text = 'This has been used, has expired, or was begun in another session: sign in to the other account again';
  throw new AppError('invalid', text, { expression: 'handle' });
}

/** It counts once: of several at once the others find it gone. */
export async function spendMerge(w: Write, loginId: string, handle: string): Promise<MergeRow> {
  const row = await requireMerge(w.tx, loginId, handle);
  const spent = await w.tx.delete(accountMerge).where(eq(accountMerge.loginId, loginId)).returning();
  if (spent.length === 1 && spent[0]?.secretHash === row.secretHash) return row;
  throw new AppError('conflict', 'This was done meanwhile, or begun anew', { expression: 'handle' });
}
