import { expect, test } from 'vitest';
import { env } from '#lib/base/env.ts';
import { startDatabaseProxy } from '#lib/testing/database-proxy.ts';
import { checkServer } from './check-server.ts';

test('the server of these tests is fit', async () => {
  await checkServer();
});

test('one that is too old is refused by name', async () => {
  const older = (said: Buffer) => Buffer.from(said.toString('latin1').replace(/1[5-8]\.(?=\d)/g, '14.'), 'latin1');
  const { url, close } = await startDatabaseProxy(env().DATABASE_URL, older);
  await expect(checkServer(url)).rejects.toThrow(/^Wrong settings:\n {2}DATABASE_URL: PostgreSQL 14\.\S+ .*is too old/);
  await close();
});

test('one without TLS, when TLS is asked for', async () => {
  await expect(checkServer(`${env().DATABASE_URL}?sslmode=require`)).rejects.toThrow('does not speak TLS');
});
