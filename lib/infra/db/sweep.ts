import { type SQL, sql } from 'drizzle-orm';
import { log } from '#lib/base/log.ts';
import { transaction } from './client.ts';
import { tryLockName } from './lock-name.ts';

/** By table: which of its rows `t` have served their time. Each room says it of the tables that it writes (`over.ts`). */
export type OverRows = Readonly<Record<string, SQL>>;

const BATCH = 5000;

/** Drops what is over, in small transactions; of several instances at once one does it. */
export async function sweep(over: OverRows): Promise<void> {
  for (const [name, which] of Object.entries(over)) {
    let dropped = 0;
    for (let last = BATCH; last === BATCH; dropped += last) last = await dropSome(name, which);
    if (dropped > 0) log.info({ table: name, rows: dropped }, 'swept');
  }
}

function dropSome(name: string, which: SQL): Promise<number> {
  return transaction(async (tx) => {
    if (!(await tryLockName(tx, 'sweep'))) return 0;
    const table = sql.identifier(name);
    const gone = await tx.execute(sql`
      delete from ${table} where ctid = any(array(select t.ctid from ${table} t where ${which} limit ${BATCH})) returning 1`);
    return gone.length;
  });
}
