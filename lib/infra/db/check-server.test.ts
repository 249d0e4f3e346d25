import { expect, test } from 'vitest';
import { env } from '#lib/base/env.ts';
import { startDatabaseProxy } from '#lib/testing/servers/database-proxy.ts';
import { skipOnCluster } from '#lib/testing/set-up/skip-on-cluster.ts';
import { checkServer } from './check-server.ts';

test('the server of these tests is fit', async () => {
  await checkServer();
});

test('one that is too old is refused by name', async () => {
  const { url, close } = await startDatabaseProxy(env().DATABASE_URL, (message) =>
    Buffer.from(message.toString('latin1').replace(/1[5-8]\.(?=\d)/g, '14.'), 'latin1'),
  );
  await expect(checkServer({ DATABASE_URL: url })).rejects.toThrow(
    /^Wrong settings:\n {2}DATABASE_URL: PostgreSQL 14\.\S+ .*is too old/,
  );
  await close();
});

test('a pooler that gives two of us the same connection is refused, with the remedy', async () => {
  // The numbers of processes are all that is asked for in digits.
  const { url, close } = await startDatabaseProxy(env().DATABASE_URL, (message) =>
    Buffer.from(
      message.toString('latin1').replace(/^(D.{10})\d+$/s, (row, head) => head.padEnd(row.length, '7')),
      'latin1',
    ),
  );
  await expect(checkServer({ DATABASE_URL: url })).rejects.toThrow(
    /^Wrong settings:\n {2}DATABASE_URL: .*DATABASE_DIRECT_URL besides/,
  );
  await expect(checkServer({ DATABASE_URL: env().DATABASE_URL, DATABASE_DIRECT_URL: url })).rejects.toThrow(
    /^Wrong settings:\n {2}DATABASE_DIRECT_URL: .*PostgreSQL itself/,
  );
  await close();
});

test('beside a direct address a pooler is fit when it leads to the same database, and refused when it does not', async () => {
  const direct = env().DATABASE_URL;
  await checkServer({ DATABASE_URL: direct, DATABASE_DIRECT_URL: direct });
  const other = new URL(direct);
  other.pathname = '/postgres';
  await expect(checkServer({ DATABASE_URL: other.href, DATABASE_DIRECT_URL: direct })).rejects.toThrow(
    'DATABASE_URL: leads to another database than DATABASE_DIRECT_URL',
  );
});

test('one without TLS, when TLS is asked for', async (test) => {
  skipOnCluster(test, 'noTls');
  await expect(checkServer({ DATABASE_URL: `${env().DATABASE_URL}?sslmode=require` })).rejects.toThrow(
    'does not speak TLS',
  );
});
