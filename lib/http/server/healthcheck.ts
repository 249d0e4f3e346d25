import { AppError } from '#lib/base/errors.ts';
import { ping } from '#lib/infra/db/ping.ts';
import { json, type Reply } from '../door/reply.ts';

/** Well only while the database answers; else 503. */
export async function healthcheck(): Promise<Reply> {
  try {
    await ping();
  } catch (cause) {
    throw new AppError('unavailable', 'The database does not answer', { cause });
  }
  return json({ ok: true });
}
