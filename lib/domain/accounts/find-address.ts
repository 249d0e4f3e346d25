import { isUuid } from '#lib/base/ids.ts';
import { db, type Queryable, runText } from '#lib/infra/db/client.ts';

const ADDRESS = 'select email_lower from user_login where user_id = $1::uuid';

/** With which address somebody signs in; undefined of who is gone, or has none. */
export async function findAddress(userId: string, q: Queryable = db()): Promise<string | undefined> {
  if (!isUuid(userId)) return undefined;
  const [row] = await runText<{ email_lower: string }>(q, ADDRESS, [userId]);
  return row?.email_lower;
}
