import { type Queryable, runText } from './client.ts';

/**
 * Holds a name until the end of the transaction. Whoever needs several takes them in this order, before any row lock:
 * `idempotency:…`, `directory:<project>:<name>`, `async-jobs:<project>`, `bulk-data:<project>`, `bulk-import:<project>`,
 * `domains:<project>`, `hl7-feeds:<project>`, `user:<scope>:<e-mail>`, `admins:<project>`,
 * `views:<project>:<membership>`, `access-requests:<project>:<membership>`, `passkeys:<user>`, `keys:<project>:<membership>`, `promote:<project>`. Then two transactions never wait for each other. `profile:<project>:<id>`
 * comes last, after row locks (as does `domain:<domain>`, of e-mail domains): who holds it takes no other name, and of rows only the keys of
 * members on that profile.
 * `break-glass:<project>` comes after the row of a membership, and before no other name.
 * `search-parameters:<project>`, of changes of SearchParameters, comes after row locks, too: of two transactions with several that wait for each other, one is told 409.
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
