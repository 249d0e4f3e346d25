import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { migrate } from '#lib/infra/db/migrate.ts';
import { startCluster } from '#scripts/embedded-postgres/cluster.ts';
import { endPostmaster, isAlive, readPostmaster } from '#scripts/embedded-postgres/postmaster.ts';

export type TestServer = {
  /** To a database that has the schema and no rows. */
  templateUrl: string;
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
    return { templateUrl: shared, stop: async () => undefined };
  }
  const given = process.env.TEST_DATABASE_URL;
  const { url, stop } = given ? { url: given, stop: async () => undefined } : await startEmbedded();
  const template = `gatehouse_template_${process.pid}`;
  await administer(url, [`drop database if exists ${template} with (force)`, `create database ${template}`]);
  const templateUrl = withDatabase(url, template);
  await migrate(templateUrl);
  return {
    templateUrl,
    async stop() {
      if (given) await dropAll(url, template);
      await stop();
    },
  };
}

/** A database of one's own, cloned from the template. It goes when the server does. */
export async function cloneDatabase(templateUrl: string): Promise<string> {
  if (process.env.TEST_SHARED_DATABASE_URL) return templateUrl;
  const template = new URL(templateUrl).pathname.slice(1);
  const name = `${template}_${randomBytes(6).toString('hex')}`;
  // Cloning locks the template: workers that start at once take turns.
  await administer(templateUrl, [
    "select pg_advisory_lock(hashtext('gatehouse template'))",
    `create database ${name} template ${template}`,
  ]);
  return withDatabase(templateUrl, name);
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

async function dropAll(url: string, template: string): Promise<void> {
  const sql = connect(url);
  const rows = await sql`select datname from pg_database where datname like ${`${template}%`}`;
  await sql.end();
  await administer(
    url,
    rows.map(({ datname }) => `drop database if exists ${datname} with (force)`),
  );
}

async function administer(url: string, statements: string[]): Promise<void> {
  const sql = connect(withDatabase(url, 'postgres'));
  try {
    for (const statement of statements) await sql.unsafe(statement);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

function connect(url: string): postgres.Sql {
  return postgres(url, { max: 1, onnotice: () => undefined });
}

function withDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}
