import { WrongSettings } from '#lib/base/wrong-settings.ts';
import { checkOwner, checkSame, checkServer } from '#lib/infra/db/check-server.ts';
import { migrate } from '#lib/infra/db/migrate.ts';
import { letIn } from '#lib/infra/db/server-role/let-in.ts';
import { tellFences } from '#lib/infra/db/server-role/look-at-fences.ts';
import { makeRole } from '#lib/infra/db/server-role/make-role.ts';
import { makeQueue } from '#lib/infra/jobs/make-queue.ts';
import { asServer } from './embedded-postgres/as-server.ts';
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

/**
 * The database of the settings, running and with the newest schema. Sets DATABASE_URL to what the server connects by, and takes
 * DATABASE_OWNER_URL away from it: no process of the server is told.
 */
export async function prepareDatabase(settings: Settings): Promise<EmbeddedDatabase | undefined> {
  const embedded = settings.embedded ? await startEmbedded(settings.DATA_DIR) : undefined;
  await progress('Migrate the database', async () => {
    try {
      await prepareSchema(embedded?.ownerUrl() ?? process.env.DATABASE_OWNER_URL, { keeps: Boolean(embedded) });
    } catch (error) {
      refuse(explain(error));
    }
  });
  // Not deleted: Next would read it from .env again.
  process.env.DATABASE_OWNER_URL = '';
  return embedded;
}

/** `ownerUrl`: none where the server's own role owns the tables, or somebody else migrates them. */
async function prepareSchema(ownerUrl: string | undefined, { keeps }: { keeps: boolean }): Promise<void> {
  const { DATABASE_URL = '', DATABASE_DIRECT_URL } = process.env;
  if (ownerUrl) {
    await checkOwner(ownerUrl);
    await makeRole(ownerUrl, DATABASE_URL, { keeps });
  }
  const server = { DATABASE_URL, DATABASE_DIRECT_URL };
  await checkServer(server);
  if (ownerUrl) await checkSame({ ...server, DATABASE_OWNER_URL: ownerUrl });
  const direct = DATABASE_DIRECT_URL || DATABASE_URL;
  const { distributed } = await migrate(ownerUrl || direct);
  if (distributed.length > 0) console.log(`  Citus: spread over its nodes by project: ${distributed.join(', ')}`);
  if (ownerUrl) {
    await makeQueue(ownerUrl);
    for (const url of new Set([DATABASE_URL, direct])) await letIn(ownerUrl, url);
  }
  await tellFences(direct);
}

type Embedded = EmbeddedDatabase & { ownerUrl(): string };

async function startEmbedded(dataDir: string): Promise<Embedded> {
  const start = (port?: number) => startCluster({ dataDir, durable: true, port });
  let cluster = await progress('PostgreSQL (embedded)', () => start().catch((error: Error) => refuse(error.message)));
  let restarting: Promise<unknown> | undefined;
  process.env.DATABASE_URL = asServer(cluster.url, dataDir);
  console.log(`  ${HOW[cluster.how]}; data in ${dataDir}/postgres`);
  atEnd(async () => {
    await restarting?.catch(() => undefined);
    const stopped = await cluster.release();
    console.log(stopped ? 'PostgreSQL stopped.' : 'PostgreSQL runs on: another process uses it.');
  });
  return {
    pid: () => cluster.pid,
    ownerUrl: () => cluster.url,
    async restart() {
      const before = cluster.url;
      await cluster.release();
      const started = start(Number(new URL(before).port));
      restarting = started;
      cluster = await started;
      process.env.DATABASE_URL = asServer(cluster.url, dataDir);
      return cluster.url !== before;
    },
  };
}

function explain(error: unknown): string {
  if (error instanceof WrongSettings) return error.message;
  const { DATABASE_URL = '', DATABASE_DIRECT_URL } = process.env;
  const { code, message, cause } = error as { code?: string; message?: string; cause?: { message?: string } };
  const { host, pathname } = new URL(DATABASE_DIRECT_URL || DATABASE_URL);
  return `The database ${pathname.slice(1)} at ${decodeURIComponent(host)} could not be prepared: ${cause?.message ?? message ?? code}`;
}
