import { type Queryable, runText } from './client.ts';
import { toTextArray } from './text-array.ts';

/**
 * Holds a name until the end of the transaction. Whoever needs several takes them in this order, before any row lock:
 * `idempotency:…`, `directory:<project>:<name>`, `async-jobs:<project>`, `bulk-data:<project>`, `bulk-import:<project>`,
 * `domains:<project>`, `hl7-feeds:<project>`, `user:<scope>:<e-mail>`, `admins:<project>`,
 * `views:<project>:<membership>`, `access-requests:<project>:<membership>`, `passkeys:<user>`, `keys:<project>:<membership>`, `promote:<project>`. Then two transactions never wait for each other. `profile:<project>:<id>`
 * comes last, after row locks (as does `domain:<domain>`, of e-mail domains): who holds it takes no other name, and of rows only the keys of
 * members on that profile.
 * `break-glass:<project>` comes after the row of a membership, and before no other name.
 * `search-parameters:<project>`, of changes of SearchParameters, comes after row locks, too: of two transactions with several that wait for each other, one is told 409.
 * `create:<project>` and its members, of PUTs that create inside a larger transaction (`lockMembers`), may be taken at any time: of two that wait for each other, one is told 409.
 */
export async function lockName(tx: Queryable, name: string): Promise<void> {
  await runText(tx, 'select pg_advisory_xact_lock(hashtextextended($1, 0))', [name]);
}

/** As `lockName`, where nobody waits for it: whether it was free. */
export async function tryLockName(tx: Queryable, name: string): Promise<boolean> {
  const [row] = await runText<{ had: boolean }>(
    tx,
    'select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as had',
    [name],
  );
  return row?.had === true;
}

/** More locks than this would fill what PostgreSQL keeps of them for all (max_locks_per_transaction). */
const MOST_LOCKS = 500;

/**
 * As `lockName`, of many names of one family, in an order that all keep. Of very many the whole family is held: whoever holds only some of it
 * holds it shared.
 */
export async function lockMembers(tx: Queryable, family: string, names: readonly string[]): Promise<void> {
  if (names.length > MOST_LOCKS) return lockName(tx, family);
  await runText(tx, 'select pg_advisory_xact_lock_shared(hashtextextended($1, 0))', [family]);
  await runText(
    tx,
    `select pg_advisory_xact_lock(key) from (
       select distinct hashtextextended($1 || ':' || name, 0) as key from unnest($2::text[]) as name order by key) k`,
    [family, toTextArray(names)],
  );
}
