import { sql } from 'drizzle-orm';
import type { Write } from '../access/context.ts';
import { dropRecoveryCodes } from './recovery-codes.ts';

/** With their account, which ends for good: all of them, and the recovery codes. Returns how many there were. */
export async function dropFactors(w: Write, userId: string): Promise<number> {
  const gone = await w.tx.execute(sql`delete from factor where user_id = ${userId} returning 1`);
  await dropRecoveryCodes(w.tx, userId);
  return gone.length;
}
