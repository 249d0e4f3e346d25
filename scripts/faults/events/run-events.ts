import { rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type postgres from 'postgres';
import { makeProject, type Project } from '../project.ts';
import { openSite, type Site } from '../site.ts';
import { openBeside } from './open-beside.ts';
import { STRIKES } from './strikes.ts';
import { judgeEvents, SYSTEM, toCounts } from './verify.ts';

/** Changes that are accepted together: all of them or none. */
const TOGETHER = 50;
const AGAIN_MS = 300;
/** Between two strikes: so much is done in good order. */
const CALM_MS = 3000;
/** What a PostgreSQL that was killed may take. */
const AWAY_MS = 180_000;
/** Every hundredth fails for good: it is to stand among the dead letters. */
const CODE = `exports.handler = async (medplum, event) => {
  const number = Number(event.input.identifier[0].value);
  if (number % 100 === 0) throw new Error('not this one');
};`;
/** What waits is tried again later each time; after the last strike all of it can be done in this. */
const SETTLE_MS = 30 * 60_000;

/**
 * So many changes are accepted that a bot hears of, while everything that could be doing its work is killed in turn: its own process, servers, a worker,
 * PostgreSQL. Prints what became of them, and resolves to what was lost or doubled.
 */
export async function runEvents(dataDir: string, events: number): Promise<string[]> {
  const site = await openSite(dataDir, { SERVER_PROCESSES: '2' });
  await site.serves();
  const worker = await openBeside(site);
  const project = await makeProject(site.base, 'events.example');
  const started = performance.now();
  await subscribe(project);
  const accepting = accept(project, events);
  accepting.catch(() => undefined);
  for (let round = 0; (await countHeard(site, project)) < events; round += 1) {
    const { name, strike } = STRIKES[round % STRIKES.length]!;
    await strike(site, worker);
    await site.serves();
    console.log(`✓ ${name}; ${await countHeard(site, project)} of ${events} are on record`);
    if (round >= 2 * STRIKES.length) break;
    await pause(CALM_MS);
  }
  const accepted = await accepting;
  await countHeard(site, project);
  const sql = site.sql();
  await settled(sql);
  const { breaches, counts } = await judgeEvents(sql, project.projectId, accepted);
  console.log(`\n${toCounts(counts)}\n${((performance.now() - started) / 1000).toFixed(0)} s\n`);
  await sql.end();
  await site.stop();
  if (breaches.length === 0) rmSync(site.logFile);
  return breaches;
}

async function subscribe({ ask, botId }: Project): Promise<void> {
  await ask('POST', `fhir/R4/Bot/${botId}/$deploy`, { code: CODE, filename: 'heard.js' });
  const channel = { type: 'rest-hook', endpoint: `Bot/${botId}` };
  const subscription = {
    resourceType: 'Subscription',
    status: 'active',
    reason: 'faults',
    criteria: 'Patient',
    channel,
  };
  const made = await ask('POST', 'fhir/R4/Subscription', subscription);
  if (made?.status !== 201) throw new Error(`No subscription: ${JSON.stringify(made)}`);
}

/** Resolves to the numbers of those that the product said it has. One that had no answer may be there or not; its number is not used again. */
async function accept({ ask }: Project, events: number): Promise<Set<number>> {
  const accepted = new Set<number>();
  for (let next = 1; accepted.size < events; next += TOGETHER) {
    const numbers = Array.from({ length: TOGETHER }, (_, at) => next + at);
    const entry = numbers.map((number) => ({
      request: { method: 'POST', url: 'Patient' },
      resource: { resourceType: 'Patient', identifier: [{ system: SYSTEM, value: String(number) }] },
    }));
    const answer = await ask('POST', 'fhir/R4', { resourceType: 'Bundle', type: 'transaction', entry });
    if (answer?.status === 200) for (const number of numbers) accepted.add(number);
    else await pause(AGAIN_MS);
  }
  return accepted;
}

/** Runs on record, as soon as PostgreSQL answers: it may just have been killed. */
async function countHeard(site: Site, { projectId, botId }: Project): Promise<number> {
  const deadline = performance.now() + AWAY_MS;
  for (;;) {
    try {
      const sql = site.sql();
      const [row] = await sql<{ n: number }[]>`
        select count(*)::int as n from bot_run where project_id = ${projectId} and bot_id = ${botId}`;
      await sql.end();
      return row?.n ?? 0;
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await pause(AGAIN_MS);
    }
  }
}

/** Until no event waits in the queue any more. */
async function settled(sql: postgres.Sql): Promise<void> {
  const deadline = performance.now() + SETTLE_MS;
  for (;;) {
    const [row] = await sql<{ n: number }[]>`
      select count(*)::int as n from pgboss.job where name = 'hook' and state in ('created', 'retry', 'active')`;
    if (row?.n === 0) return;
    if (performance.now() > deadline)
      return console.log(`After ${SETTLE_MS / 60_000} min ${row?.n} events still wait.`);
    await pause(1000);
  }
}
