import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WrongSettings } from '#lib/base/wrong-settings.ts';
import { migrate } from '#lib/infra/db/migrate.ts';
import { letIn } from '#lib/infra/db/server-role/let-in.ts';
import { makeRole } from '#lib/infra/db/server-role/make-role.ts';
import { makeQueue } from '#lib/infra/jobs/make-queue.ts';
import { startCluster } from '#scripts/embedded-postgres/cluster.ts';
import { endPostmaster, isAlive, readPostmaster } from '#scripts/embedded-postgres/postmaster.ts';
import { administer, asRole, connect, type ServerRole, withDatabase } from './database.ts';

export type TestServer = {
  /** To a database that has the schema and no rows, as its owner. */
  templateUrl: string;
  /** Whom the program connects as; none where it is the owner. */
  role: ServerRole | null;
  stop(): Promise<void>;
};

const FOLDER = /^gatehouse-test-(\d+)-/;

/**
 * A PostgreSQL for one test run: that of TEST_DATABASE_URL, or an embedded one in a folder that is thrown away. Or the very database of
 * TEST_SHARED_DATABASE_URL, for all processes together: one of a cluster cannot be cloned.
 */
export async function startTestServer(): Promise<TestServer> {
  const shared = process.env.TEST_SHARED_DATABASE_URL;
  if (shared) {
    await migrate(shared);
    return { templateUrl: shared, role: null, stop: async () => undefined };
  }
  const given = process.env.TEST_DATABASE_URL;
  const { url, stop } = given ? { url: given, stop: async () => undefined } : await startEmbedded();
  const template = `gatehouse_template_${process.pid}`;
  await administer(url, [`drop database if exists ${template} with (force)`, `create database ${template}`]);
  const templateUrl = withDatabase(url, template);
  await migrate(templateUrl);
  const role = await makeServerRole(templateUrl);
  return {
    templateUrl,
    role,
    async stop() {
      if (given) await dropAll(url, template, role);
      await stop();
    },
  };
}

/** As a start does (scripts/database.ts). All databases that are cloned have what it may. None where nobody may make roles. */
async function makeServerRole(templateUrl: string): Promise<ServerRole | null> {
  const role = { user: `gatehouse_server_${process.pid}`, password: randomBytes(12).toString('hex') };
  const serverUrl = asRole(templateUrl, role);
  try {
    await makeRole(templateUrl, serverUrl, { keeps: true });
  } catch (error) {
    if (!(error instanceof WrongSettings)) throw error;
    process.stdout.write('The tests run as the owner of the tables: that role may not make another\n');
    return null;
  }
  await makeQueue(templateUrl);
  await letIn(templateUrl, serverUrl);
  return role;
}

async function startEmbedded(): Promise<{ url: string; stop(): Promise<void> }> {
  await sweep();
  const dataDir = await mkdtemp(join(tmpdir(), `gatehouse-test-${process.pid}-`));
  const cluster = await startCluster({ dataDir, durable: false });
  return {
    url: cluster.tcpUrl,
    async stop() {
      await cluster.release();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** What test runs that were killed have left. */
async function sweep(): Promise<void> {
  for (const name of readdirSync(tmpdir())) {
    const pid = Number(FOLDER.exec(name)?.[1]);
    if (!pid || isAlive(pid)) continue;
    const folder = join(tmpdir(), name);
    const postmaster = readPostmaster(join(folder, 'postgres'));
    if (postmaster) await endPostmaster(postmaster.pid);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function dropAll(url: string, template: string, role: ServerRole | null): Promise<void> {
  const sql = connect(url);
  const rows = await sql`select datname from pg_database where datname like ${`${template}%`}`;
  await sql.end();
  const databases = rows.map(({ datname }) => `drop database if exists ${datname} with (force)`);
  await administer(url, [...databases, ...(role ? [`drop role if exists ${role.user}`] : [])]);
}
