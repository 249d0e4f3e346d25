import { WrongSettings } from '#lib/base/wrong-settings.ts';
import { checkServer } from '#lib/infra/db/check-server.ts';
import { migrate } from '#lib/infra/db/migrate.ts';
import { type Cluster, startCluster } from './embedded-postgres/cluster.ts';
import { atEnd } from './lifetime.ts';
import { progress, refuse } from './progress.mjs';
import type { Settings } from './settings.ts';

const HOW = { new: 'made', started: 'started', reused: 'it still ran' } as const;

/** The database of the settings, running and with the newest schema. Sets DATABASE_URL. */
export async function prepareDatabase(settings: Settings): Promise<Cluster | undefined> {
  const cluster = settings.embedded ? await startEmbedded(settings.DATA_DIR) : undefined;
  if (cluster) process.env.DATABASE_URL = cluster.url;
  const url = cluster?.url ?? settings.DATABASE_URL;
  await progress('Migrate the database', async () => {
    try {
      await checkServer(url);
      await migrate(url);
    } catch (error) {
      refuse(explain(error, url));
    }
  });
  return cluster;
}

async function startEmbedded(dataDir: string): Promise<Cluster> {
  const cluster = await progress('PostgreSQL (embedded)', () =>
    startCluster({ dataDir, durable: true }).catch((error: Error) => refuse(error.message)),
  );
  console.log(`  ${HOW[cluster.how]}; data in ${dataDir}/postgres`);
  atEnd(async () => {
    const stopped = await cluster.release();
    console.log(stopped ? 'PostgreSQL stopped.' : 'PostgreSQL runs on: another process uses it.');
  });
  return cluster;
}

function explain(error: unknown, url: string): string {
  if (error instanceof WrongSettings) return error.message;
  const { code, message, cause } = error as { code?: string; message?: string; cause?: { message?: string } };
  const { host, pathname } = new URL(url);
  return `The database ${pathname.slice(1)} at ${host} could not be prepared: ${cause?.message ?? message ?? code}`;
}
