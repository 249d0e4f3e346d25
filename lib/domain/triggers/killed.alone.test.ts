import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, expect, test, vi } from 'vitest';
import { transaction } from '#lib/infra/db/client.ts';
import { stopJobs } from '#lib/infra/jobs/jobs.ts';
import { deployedBot } from '#lib/testing/bots.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createWorld } from '#lib/testing/world.ts';
import { queueBotEvent } from '../bot-events/queue-bot-event.ts';

/** `EVENTS` asks for more. */
const EVENTS = Number(process.env.EVENTS ?? 1000);
const KILLS = 4;
const PATH = join(import.meta.dirname, '../../testing/processes/event-process.ts');

let child: ChildProcess | undefined;

afterAll(async () => {
  child?.kill('SIGKILL');
  await stopJobs();
});

async function begin(): Promise<void> {
  child = fork(PATH, { stdio: 'inherit' });
  await once(child, 'message');
}

test('whatever kills the process that runs them: each event that was accepted ends once on record, or is a dead letter', async () => {
  const world = await createWorld();
  const { projectId } = world;
  const botId = await deployedBot(
    world,
    `export const handler = async (m: any, e: any) => { if (e.input.n % 100 === 0) throw new Error('no'); };`,
  );
  for (let at = 0; at < EVENTS; at += 100) {
    await transaction(async (tx) => {
      for (let n = at; n < at + 100; n += 1) {
        const input = { event: { kind: 'json' as const, value: { n } }, contentType: 'application/json', headers: {} };
        await queueBotEvent(tx, { projectId, botId, trigger: 'hl7', key: `event ${n}`, focus: `event ${n}`, input });
      }
    });
  }
  const states = async () => {
    const rows = await db().execute<{ state: string; n: number }>(
      sql`select state, count(*)::int as n from bot_event where project_id = ${projectId} group by state`,
    );
    return Object.fromEntries(rows.map(({ state, n }) => [state, n]));
  };
  const started = performance.now();
  for (let kills = 0; kills < KILLS; kills += 1) {
    await begin();
    const goal = ((kills + 1) * EVENTS) / (KILLS + 2);
    await vi.waitFor(async () => expect(EVENTS - ((await states()).waiting ?? 0)).toBeGreaterThan(goal), {
      timeout: 120_000,
      interval: 5,
    });
    child?.kill('SIGKILL');
  }
  await begin();
  await vi.waitFor(async () => expect((await states()).waiting ?? 0).toBe(0), { timeout: 300_000, interval: 100 });
  if (process.env.EVENTS) process.stderr.write(`${EVENTS} events in ${performance.now() - started} ms\n`);
  expect(await states()).toEqual({ ended: EVENTS - EVENTS / 100, dead: EVENTS / 100 });
  const [dead] = await db().execute(sql`select count(*)::int as n from dead_letter where project_id = ${projectId}`);
  expect(dead).toEqual({ n: EVENTS / 100 });
  const [ok] = await db().execute(sql`
    select count(*)::int as n, count(distinct request_id)::int as of from bot_run where project_id = ${projectId} and status = 'ok'`);
  expect(ok).toEqual({ n: EVENTS - EVENTS / 100, of: EVENTS - EVENTS / 100 });
}, 600_000);
