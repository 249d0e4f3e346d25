import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PgBoss } from 'pg-boss';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { makeCertificate } from '#lib/testing/servers/certificate.ts';
import { type Cluster, startCluster } from '#scripts/embedded-postgres/cluster.ts';
import { findOwner } from '#scripts/embedded-postgres/owner.ts';
import { forPostgres, parseAddress } from './address.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-tls-'));
const file = (name: string) => join(dataDir, name);
let cluster: Cluster;

beforeAll(async () => {
  cluster = await startCluster({ dataDir, durable: false });
  const root = makeCertificate('Our authority');
  const server = makeCertificate('localhost', root);
  writeFileSync(file('root.pem'), root.cert);
  writeFileSync(file('other.pem'), makeCertificate('Another authority').cert);
  const owner = findOwner(file('postgres'));
  for (const [name, text] of Object.entries({ 'server.crt': server.cert, 'server.key': server.key })) {
    writeFileSync(file(`postgres/${name}`), text, { mode: 0o600 });
    if (owner) chownSync(file(`postgres/${name}`), owner.uid, owner.gid);
  }
  const sql = postgres(cluster.tcpUrl, { max: 1 });
  await sql`alter system set ssl = on`;
  await sql`select pg_reload_conf()`;
  await vi.waitUntil(() => encrypts(postgresJs, '127.0.0.1', 'require').catch(() => false), { timeout: 20_000 });
  await sql.end();
});

afterAll(async () => {
  await cluster.release();
  rmSync(dataDir, { recursive: true, force: true });
});

const ASKED = 'select ssl from pg_stat_ssl where pid = pg_backend_pid()';

async function postgresJs(url: string): Promise<boolean> {
  const sql = postgres({ ...forPostgres(parseAddress(url)), max: 1, connect_timeout: 20 });
  try {
    const [row] = await sql.unsafe<{ ssl: boolean }[]>(ASKED);
    return row!.ssl;
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** With the pg that it brings. */
async function pgBoss(url: string): Promise<boolean> {
  const boss = new PgBoss({ ...parseAddress(url), max: 1, supervise: false, schedule: false });
  boss.on('error', () => undefined);
  try {
    await boss.start();
    const { rows } = await boss.getDb().executeSql(ASKED, []);
    return rows[0].ssl;
  } finally {
    await boss.stop({ graceful: false });
  }
}

function encrypts(driver: typeof pgBoss, host: string, mode: string, more = ''): Promise<boolean> {
  const url = new URL(cluster.url);
  url.hostname = host;
  return driver(`${url}?sslmode=${mode}${more.replace('$', dataDir)}`);
}

const ROOT = '&sslrootcert=$/root.pem';
const OTHER = '&sslrootcert=$/other.pem';

describe.each([
  ['postgres.js', postgresJs],
  ['pg-boss', pgBoss],
])('%s', (_, driver) => {
  test.each([
    ['disable', '127.0.0.1', '', false],
    ['require', '127.0.0.1', '', true],
    ['require', '127.0.0.1', ROOT, true],
    ['no-verify', '127.0.0.1', '', true],
    ['verify-ca', '127.0.0.1', ROOT, true],
    ['verify-full', 'localhost', ROOT, true],
  ])('sslmode=%s to %s%s connects', async (mode, host, more, encrypted) => {
    expect(await encrypts(driver, host, mode, more)).toBe(encrypted);
  });

  test.each([
    ['require', '127.0.0.1', OTHER, /certificate/],
    ['verify-ca', 'localhost', OTHER, /certificate/],
    ['verify-full', 'localhost', '', /certificate/],
    ['verify-full', 'localhost', OTHER, /certificate/],
    ['verify-full', '127.0.0.1', ROOT, /altnames/],
  ])('sslmode=%s to %s%s is refused', async (mode, host, more, reason) => {
    await expect(encrypts(driver, host, mode, more)).rejects.toThrow(reason);
  });
});

test('both drivers come in by the socket of a PostgreSQL of our own', async () => {
  expect(parseAddress(cluster.url).host).toBe(file('postgres'));
  expect(await postgresJs(cluster.url)).toBe(false);
  expect(await pgBoss(cluster.url)).toBe(false);
});
