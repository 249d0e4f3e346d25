import { sql } from 'drizzle-orm';
import { AppError } from '#lib/base/errors.ts';
import { db } from '#lib/infra/db/client.ts';
import { json, type Reply } from '../door/reply.ts';

/** Well only while the database answers; else 503. */
export async function healthcheck(): Promise<Reply> {
  try {
    await db().execute(sql`select 1`);
  } catch (cause) {
    throw new AppError('unavailable', 'The database does not answer', { cause });
  }
  return json({ ok: true });
}
