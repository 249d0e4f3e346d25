import { desc } from 'drizzle-orm';
import { db } from '../db/client.ts';
import { devMail } from '../db/schema/operations.ts';

export type DevMail = typeof devMail.$inferSelect;

const MOST = 100;

/** What mail would have gone out while it had nowhere to go, the newest first. */
export function listDevMail(): Promise<DevMail[]> {
  return db().select().from(devMail).orderBy(desc(devMail.at)).limit(MOST);
}
