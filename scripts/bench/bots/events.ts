import { setTimeout as pause } from 'node:timers/promises';
import postgres from 'postgres';
import { forPostgres, parseAddress } from '#lib/infra/db/address.ts';
import { request } from '../request.ts';
import { type Maker, makeBot } from './scenarios.ts';

export type EventFigures = { writeToBotMs: number; eventsPerSecond: number };

const WRITES = 30;
const EVENTS = 5000;
const TOGETHER = 100;
const LIMIT_MS = 120_000;

/** How soon after a write is answered the bot that hears of it begins, in the middle; and how many writes a second bots keep up with. */
export async function measureEvents(maker: Maker, projectId: string, url: string): Promise<EventFigures> {
  const { base, token } = maker;
  const sql = postgres({ ...forPostgres(parseAddress(url)), max: 1, onnotice: () => undefined });
  const botId = await makeBot(maker, 'heard', 'export async function handler() {}');
  const channel = { type: 'rest-hook', endpoint: `Bot/${botId}` };
  const body = { resourceType: 'Subscription', status: 'active', reason: 'bench', criteria: 'Patient', channel };
  await request(base, 'POST', 'fhir/R4/Subscription', { body, token });
  // It counts, and takes no more than that of the machine: the runs themselves have it.
  const heard = async (least: number) => {
    const deadline = performance.now() + LIMIT_MS;
    for (;;) {
      const [row] = await sql<{ count: number; last: Date }[]>`
        select count(*)::int as count, max(started_at) as last from bot_run
        where project_id = ${projectId} and bot_id = ${botId}`;
      if (row!.count >= least) return row!.last.getTime();
      if (performance.now() > deadline) throw new Error(`${row!.count} of ${least} events were heard`);
      await pause(20);
    }
  };
  const delays: number[] = [];
  for (let count = 1; count <= WRITES; count += 1) {
    await request(base, 'POST', 'fhir/R4/Patient', { body: { resourceType: 'Patient' }, token });
    const written = Date.now();
    delays.push((await heard(count)) - written);
  }
  const started = performance.now();
  const entry = Array.from({ length: TOGETHER }, () => ({
    request: { method: 'POST', url: 'Patient' },
    resource: { resourceType: 'Patient' },
  }));
  for (let sent = 0; sent < EVENTS; sent += TOGETHER)
    await request(base, 'POST', 'fhir/R4', { body: { resourceType: 'Bundle', type: 'transaction', entry }, token });
  await heard(WRITES + EVENTS);
  const seconds = (performance.now() - started) / 1000;
  await sql.end();
  return { writeToBotMs: delays.toSorted((a, b) => a - b)[WRITES >> 1]!, eventsPerSecond: EVENTS / seconds };
}
