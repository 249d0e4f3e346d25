import { AppError } from '#lib/base/errors.ts';
import { proveSigning } from '#lib/domain/oauth/prove-signing.ts';
import { ping } from '#lib/infra/db/ping.ts';
import { json, type Reply } from '../door/reply.ts';

/** Well only while the database answers and tokens can be signed and verified; else 503. */
export async function healthcheck(): Promise<Reply> {
  await ping().catch(unwell('The database does not answer'));
  await proveSigning().catch(unwell('Tokens cannot be signed'));
  return json({ ok: true });
}

function unwell(text: string) {
  return (cause: unknown): never => {
    throw new AppError('unavailable', text, { cause });
  };
}
