import { PgBoss } from 'pg-boss';
import { log } from '#lib/base/log.ts';
import { parseAddress } from '../db/address.ts';

/** An index that takes longer is rebuilt by whoever has the time. */
const REBUILD_MS = 60_000;

/**
 * Makes the tables of the queue, or brings them to where this version has them, and rebuilds what indexes have grown far beyond their jobs: what
 * pg-boss else does beside its work, and a server whose role does not own them may not. `ownerUrl`: of who may.
 */
export async function makeQueue(ownerUrl: string): Promise<void> {
  const boss = new PgBoss({
    ...parseAddress(ownerUrl, 'DATABASE_OWNER_URL'),
    max: 1,
    supervise: false,
    schedule: false,
    application_name: 'gatehouse-migrate',
  });
  let failed: unknown;
  boss.on('error', (error) => {
    failed ??= error;
  });
  try {
    await boss.start();
    if (failed) throw failed;
    await rebuildIndexes(boss).catch((error) => log.warn({ err: error }, 'an index of the queue was not rebuilt'));
  } finally {
    await boss.stop({ graceful: false });
  }
}

async function rebuildIndexes(boss: PgBoss): Promise<void> {
  const db = boss.getDb();
  const commands = await boss.getReindexCommands();
  if (commands.length > 0) await db.executeSql(`set statement_timeout = ${REBUILD_MS}`);
  for (const command of commands) await db.executeSql(command);
}
