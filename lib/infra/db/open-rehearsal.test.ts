import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { transactionOn } from './client.ts';
import { openRehearsal } from './open-rehearsal.ts';

const one = (step: ReturnType<typeof openRehearsal>['step']) =>
  step(async (tx) => (await tx.execute(sql`select 1`)).length);

test('where the connection for it is stuck, one dry run is told so and the next has another', async () => {
  // As the driver leaves it that never hears of its end.
  void transactionOn('rehearsals', () => new Promise(() => undefined)).catch(() => undefined);
  const lost: unknown[] = [];
  const first = openRehearsal(1000, (why) => lost.push(why));
  await expect(one(first.step)).rejects.toMatchObject({ code: 'unavailable' });
  expect(lost).toHaveLength(1);
  await first.end();
  const second = openRehearsal(1000, (why) => lost.push(why));
  expect(await one(second.step)).toBe(1);
  await second.end();
  expect(lost).toHaveLength(1);
});
