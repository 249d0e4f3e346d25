import { type ChildProcess, execFileSync, fork } from 'node:child_process';
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
const PATH = join(import.meta.dirname, '../../testing/processes/event-process.ts');

/** As two servers, or a server and a worker: one goes on with what the other leaves. */
const children = new Set<ChildProcess>();

afterAll(async () => {
  kill(...children);
  await stopJobs();
});

async function beginMissing(): Promise<void> {
  while (children.size < 2) {
    const child = fork(PATH, { stdio: 'inherit' });
    children.add(child);
    await once(child, 'message');
  }
}

function kill(...those: ChildProcess[]): void {
  for (const child of those) {
    child.kill('SIGKILL');
    children.delete(child);
  }
}

function killRunners(): void {
  const parents = new Set([...children].map(({ pid }) => pid));
  const lines = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' }).trim().split('\n');
  for (const line of lines.filter((line) => line.includes('runner/main'))) {
    const [pid, parent] = line.trim().split(/\s+/).map(Number);
    if (parents.has(parent)) process.kill(pid!, 'SIGKILL');
  }
}

const STRIKES: (() => void)[] = [
  () => kill([...children][0]!),
  killRunners,
  () => kill(...children),
  killRunners,
  () => kill([...children][1]!),
  () => kill(...children),
];

test('whichever process that runs them is killed, or that in which their bot runs: each event that was accepted ends once on record, or is a dead letter', async () => {
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
  for (const [at, strike] of STRIKES.entries()) {
    await beginMissing();
    const goal = ((at + 1) * EVENTS) / (STRIKES.length + 2);
    await vi.waitFor(async () => expect(EVENTS - ((await states()).waiting ?? 0)).toBeGreaterThan(goal), {
      timeout: 120_000,
      interval: 5,
    });
    strike();
  }
  await beginMissing();
  await vi.waitFor(async () => expect((await states()).waiting ?? 0).toBe(0), { timeout: 300_000, interval: 100 });
  if (process.env.EVENTS) process.stderr.write(`${EVENTS} events in ${performance.now() - started} ms\n`);
  expect(await states()).toEqual({ ended: EVENTS - EVENTS / 100, dead: EVENTS / 100 });
  const [dead] = await db().execute(sql`select count(*)::int as n from dead_letter where project_id = ${projectId}`);
  expect(dead).toEqual({ n: EVENTS / 100 });
  const [ok] = await db().execute(sql`
    select count(*)::int as n, count(distinct request_id)::int as of from bot_run where project_id = ${projectId} and status = 'ok'`);
  expect(ok).toEqual({ n: EVENTS - EVENTS / 100, of: EVENTS - EVENTS / 100 });
}, 600_000);
