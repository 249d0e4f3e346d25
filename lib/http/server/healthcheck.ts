import { AppError } from '#lib/base/errors.ts';
import { within } from '#lib/base/within.ts';
import { proveSigning } from '#lib/domain/oauth/prove-signing.ts';
import { ping } from '#lib/infra/db/ping.ts';
import { json, type Reply } from '../door/reply.ts';

/** Who asks is to have an answer, also while nothing comes from the database, not even a refusal. */
const LONGEST_MS = 1000;

/** Well only while the database answers and tokens can be signed and verified; else 503. */
export async function healthcheck(): Promise<Reply> {
  await within(LONGEST_MS, ping()).catch(unwell('The database does not answer'));
  await proveSigning().catch(unwell('Tokens cannot be signed'));
  return json({ ok: true });
}

function unwell(text: string) {
  return (cause: unknown): never => {
    throw new AppError('unavailable', text, { cause, retryAfterSeconds: 5 });
  };
}
