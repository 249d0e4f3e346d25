import postgres from 'postgres';
import { expect, test } from 'vitest';
import { databaseAddress, forPostgres } from '../address.ts';
import { leave } from './leave.ts';

const NAME = 'gatehouse-left';

test('what waits in a pool that is left is answered, and its connections do not stay behind that', async () => {
  const open = (max: number, application_name: string) =>
    postgres({ ...forPostgres(databaseAddress()), max, fetch_types: false, connection: { application_name } });
  const [client, other] = [open(2, NAME), open(1, 'gatehouse-other')];
  const alone = { onexecute: () => false } as object;
  const asked = Array.from({ length: 8 }, async (_, n) => {
    const [row] = await client.unsafe('select $1::int as n, pg_sleep(0.1)', [n], alone);
    return row!.n;
  });
  const connections = () => other.unsafe('select 1 from pg_stat_activity where application_name = $1', [NAME]);
  await expect.poll(connections).toHaveLength(2);
  leave(client, 60);
  expect(await Promise.all(asked)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  await expect.poll(connections).toHaveLength(0);
  await other.end();
});
