import { SERVER_SCOPE } from '#lib/base/ids.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import { lockName } from '#lib/infra/db/lock-name.ts';

/**
 * Holds addresses until the end of the transaction: nobody else looks whose they are, invites or registers them meanwhile. Under one name
 * whatever the scope, since an invite looks at both; in the order that `lockName` asks for.
 */
export async function lockAddresses(tx: Queryable, emails: Iterable<string>): Promise<void> {
  for (const email of [...new Set(emails)].sort()) await lockName(tx, `user:${SERVER_SCOPE}:${email}`);
}
