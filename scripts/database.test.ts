import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { lookAtFences } from '#lib/infra/db/server-role/look-at-fences.ts';
import { prepareDatabase } from './database.ts';
import { type Cluster, startCluster } from './embedded-postgres/cluster.ts';
import type { Settings } from './settings.ts';

const before = { ...process.env };
const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-own-'));
let cluster: Cluster;
let ownerUrl: string;
let serverUrl: string;

/** As a service gives it: whoever owns the database is no superuser, and may make roles. */
beforeAll(async () => {
  cluster = await startCluster({ dataDir, durable: false });
  const sql = postgres(cluster.tcpUrl, { max: 1, onnotice: () => undefined });
  await sql`create role keeper login createrole password 'k'`;
  await sql`create database house owner keeper`;
  await sql.end();
  const named = (username: string, password: string) =>
    Object.assign(new URL(cluster.tcpUrl), { pathname: '/house', username, password }).href;
  ownerUrl = named('keeper', 'k');
  serverUrl = named('house_server', 'a/b c');
});

beforeEach(() => void Object.assign(process.env, { DATABASE_URL: serverUrl, DATABASE_OWNER_URL: '' }));

afterAll(async () => {
  for (const name of ['DATABASE_URL', 'DATABASE_OWNER_URL']) process.env[name] = before[name] ?? '';
  await cluster.release();
  rmSync(dataDir, { recursive: true, force: true });
});

const start = () => prepareDatabase({ embedded: false, DATA_DIR: dataDir } as Settings);

test('with DATABASE_OWNER_URL a server has a role of its own, which is made, and is not told of the owner', async () => {
  for (const _ of ['first', 'second']) {
    process.env.DATABASE_OWNER_URL = ownerUrl;
    expect(await start()).toBeUndefined();
    expect([process.env.DATABASE_URL, process.env.DATABASE_OWNER_URL]).toEqual([serverUrl, '']);
  }
  expect(await lookAtFences(serverUrl)).toEqual({
    owner: false,
    superuser: false,
    bypassesRowSecurity: false,
    rowSecurity: 3,
  });
  const server = postgres(serverUrl, { max: 1 });
  await server`insert into upkeep (name, progress) values ('told', '{}')`;
  await expect(server`drop table upkeep`).rejects.toMatchObject({ code: '42501' });
  await server.end();
});

test('a worker elsewhere starts without it on the tables that there are; the owner alone does as before', async () => {
  expect(await start()).toBeUndefined();
  process.env.DATABASE_URL = ownerUrl;
  expect(await start()).toBeUndefined();
  expect(await lookAtFences(ownerUrl)).toMatchObject({ owner: true, superuser: false });
});

test('an owner of another database is refused by the name of the setting', async () => {
  process.env.DATABASE_OWNER_URL = Object.assign(new URL(ownerUrl), { pathname: '/postgres' }).href;
  await expect(start()).rejects.toThrow('DATABASE_OWNER_URL: leads to another database than DATABASE_URL');
});
