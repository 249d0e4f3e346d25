import { WrongSettings } from '#lib/base/wrong-settings.ts';
import { checkServer } from '#lib/infra/db/check-server.ts';
import { migrate } from '#lib/infra/db/migrate.ts';
import { startCluster } from './embedded-postgres/cluster.ts';
import { atEnd } from './lifetime.ts';
import { progress, refuse } from './progress.mjs';
import type { Settings } from './settings.ts';

const HOW = { new: 'made', started: 'started', reused: 'it still ran' } as const;

export type EmbeddedDatabase = {
  /** Of its postmaster. */
  pid(): number;
  /** After it has ended. Resolves to whether it is now at another address, which DATABASE_URL then says. */
  restart(): Promise<boolean>;
};

/** The database of the settings, running and with the newest schema. Sets DATABASE_URL. */
export async function prepareDatabase(settings: Settings): Promise<EmbeddedDatabase | undefined> {
  const embedded = settings.embedded ? await startEmbedded(settings.DATA_DIR) : undefined;
  const { DATABASE_URL, DATABASE_DIRECT_URL } = process.env;
  const url = DATABASE_DIRECT_URL || (DATABASE_URL ?? '');
  await progress('Migrate the database', async () => {
    try {
      await checkServer({ DATABASE_URL, DATABASE_DIRECT_URL });
      const { distributed } = await migrate(url);
      if (distributed.length > 0) console.log(`  Citus: spread over its nodes by project: ${distributed.join(', ')}`);
    } catch (error) {
      refuse(explain(error, url));
    }
  });
  return embedded;
}

async function startEmbedded(dataDir: string): Promise<EmbeddedDatabase> {
  const start = (port?: number) => startCluster({ dataDir, durable: true, port });
  let cluster = await progress('PostgreSQL (embedded)', () => start().catch((error: Error) => refuse(error.message)));
  let restarting: Promise<unknown> | undefined;
  process.env.DATABASE_URL = cluster.url;
  console.log(`  ${HOW[cluster.how]}; data in ${dataDir}/postgres`);
  atEnd(async () => {
    await restarting?.catch(() => undefined);
    const stopped = await cluster.release();
    console.log(stopped ? 'PostgreSQL stopped.' : 'PostgreSQL runs on: another process uses it.');
  });
  return {
    pid: () => cluster.pid,
    async restart() {
      const before = cluster.url;
      await cluster.release();
      const started = start(Number(new URL(before).port));
      restarting = started;
      cluster = await started;
      process.env.DATABASE_URL = cluster.url;
      return cluster.url !== before;
    },
  };
}

function explain(error: unknown, url: string): string {
  if (error instanceof WrongSettings) return error.message;
  const { code, message, cause } = error as { code?: string; message?: string; cause?: { message?: string } };
  const { host, pathname } = new URL(url);
  return `The database ${pathname.slice(1)} at ${decodeURIComponent(host)} could not be prepared: ${cause?.message ?? message ?? code}`;
}
