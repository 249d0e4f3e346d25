import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import postgres from 'postgres';
import { expect, onTestFinished, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { forPostgres, parseAddress } from '#lib/infra/db/address.ts';
import { migrate } from '#lib/infra/db/migrate.ts';
import { prepareDatabase } from '../database.ts';
import type { Settings } from '../settings.ts';
import { startCluster } from './cluster.ts';
import { endPostmaster } from './postmaster.ts';

const open = (url: string) => postgres({ ...forPostgres(parseAddress(url)), max: 1, onnotice: () => undefined });

test('a data directory of the release before, whose server was the owner, has a role for it from its next start on', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-role-'));
  const { DATABASE_URL: before } = process.env;
  onTestFinished(() => {
    Object.assign(process.env, { DATABASE_URL: before ?? '' });
    rmSync(dataDir, { recursive: true, force: true });
  });
  const old = await startCluster({ dataDir, durable: false });
  await migrate(old.url);
  const owner = open(old.url);
  const kept = { project_id: newId(), id: newId(), template: 'reset', recipient: 'a@example.com' };
  await owner`insert into mail ${owner(kept)}`;
  await owner.end();
  await old.release();

  const start = async () => {
    const database = await prepareDatabase({ embedded: true, DATA_DIR: dataDir } as Settings);
    const url = process.env.DATABASE_URL ?? '';
    const server = open(url);
    const rows = await server`select id, (select rolname from pg_roles where rolname = current_user) as role from mail`;
    const refused = await server`truncate mail`.then(
      () => 'done',
      ({ code }: { code: string }) => code,
    );
    await server.end();
    await endPostmaster(database?.pid() ?? 0);
    return { url: url.replace(/@.*/, ''), rows: [...rows], refused };
  };
  const first = await start();
  expect(first).toEqual({
    url: expect.stringMatching(/^postgres:\/\/gatehouse_server:[\w-]{32}$/),
    rows: [{ id: kept.id, role: 'gatehouse_server' }],
    refused: '42501',
  });
  expect(statSync(join(dataDir, 'postgres-server-password')).mode & 0o777).toBe(0o600);
  expect(process.env.DATABASE_OWNER_URL).toBe('');
  expect(await start()).toEqual(first);
  // Its password was lost: it has a new one.
  rmSync(join(dataDir, 'postgres-server-password'));
  expect(await start()).toMatchObject({ rows: first.rows, url: expect.not.stringContaining(first.url) });
});
