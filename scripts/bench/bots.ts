import type { ChildProcess } from 'node:child_process';
import { cpus } from 'node:os';
import { progress, refuse } from '../progress.mjs';
import { speedBy, startBareReads } from './bare-reads.ts';
import { measureEvents } from './bots/events.ts';
import { botScenarios, type Maker } from './bots/scenarios.ts';
import { measureWarmth } from './bots/warmth.ts';
import { ask, start } from './child.ts';
import { openProject } from './open-project.ts';
import { request } from './request.ts';
import type { Job, Measured, Scenario } from './scenario.ts';
import { ms, rate, toMarkdown } from './table.ts';

const CONNECTIONS = 8;
/** V8 makes a bot's code fast only after some thousand runs in each of its isolates. */
const WARM_UP_SECONDS = 3;
const SECONDS = 4;
const ECHO_P50_MS = 3;

/** `least` and `most`: as promised, before the machine is taken into account. `bare`: what it did bare just before, per second. */
type Row = { name: string; value: number; unit: string; bare: number; p50?: number; least?: number; most?: number };

/**
 * `npm run bench -- --bots`: what bots cost: calls of five kinds at eight connections, first calls, events, and memory. Beside them a bare handler
 * reads a patient, which tells how fast the machine is at that moment: targets are as high as it is fast.
 */
export async function benchBots(url: string, base: string): Promise<void> {
  const server = await progress('Production server', () => start('../server.ts'));
  const { projectId, signIn } = await openProject(base);
  const maker = { base, admin: `admin/projects/${projectId}`, token: await signIn() };
  const scenarios = await progress('Bots', () => botScenarios(maker));
  const load = await start('bench/load.ts');
  const measureBare = await progress('Bare handler', () => startBare(url, load, maker));
  const rows: Row[] = [];
  for (const scenario of scenarios) {
    const bare = await measureBare();
    const { perSecond, p50 } = await progress(scenario.name, () => measure(load, scenario, base));
    rows.push({ name: scenario.name, value: perSecond, unit: '/s', bare, p50, least: scenario.least });
    if (scenario.name === 'Echo') rows.push({ name: '… p50', value: p50, unit: 'ms', bare, most: ECHO_P50_MS });
  }
  const bare = await measureBare();
  const warmth = await progress('First calls', () => measureWarmth(maker, server.pid!));
  rows.push({ name: 'First call, beside a later one', value: warmth.coldMs, unit: 'ms', bare, most: 15 });
  rows.push({ name: '… of a bot that imports core', value: warmth.coldWithCoreMs, unit: 'ms', bare, most: 60 });
  rows.push({ name: 'Memory of a bot that is warm', value: warmth.mbPerBot, unit: 'MiB', bare });
  const bareNow = await measureBare();
  const events = await progress('Events', () => measureEvents(maker, projectId, url));
  rows.push({
    name: 'From a write to the bot that hears of it',
    value: events.writeToBotMs,
    unit: 'ms',
    bare: bareNow,
    most: 50,
  });
  rows.push({
    name: 'Events, written in transactions of 100',
    value: events.eventsPerSecond,
    unit: '/s',
    bare: bareNow,
    least: 1000,
  });
  console.log(`\n${cpus().length} cores shared with PostgreSQL and the load generator, ${CONNECTIONS} connections.\n`);
  console.log(toBotsTable(rows));
}

/** Of a patient. */
async function startBare(url: string, load: ChildProcess, { base, token }: Maker): Promise<() => Promise<number>> {
  const patient = await request(base, 'POST', 'fhir/R4/Patient', { body: { resourceType: 'Patient' }, token });
  const headers = { authorization: `Bearer ${token}` };
  const path = `/fhir/R4/Patient/${patient.id}`;
  return startBareReads(url, load, { name: 'Read', method: 'GET', path, headers, answer: 'rows' });
}

async function measure(load: ChildProcess, scenario: Scenario, url: string) {
  const job = { url, scenario, connections: CONNECTIONS };
  await ask<Job, Measured>(load, { ...job, seconds: WARM_UP_SECONDS });
  const measured = await ask<Job, Measured>(load, { ...job, seconds: SECONDS });
  if (measured.failed > 0) refuse(`${scenario.name}: ${measured.failed} requests failed`);
  return measured;
}

function toBotsTable(rows: Row[]): string {
  const lines = rows.map(({ name, value, unit, bare, p50, least, most }) => {
    const speed = speedBy(bare);
    const owed = least === undefined ? most && most / speed : least * speed;
    const isMissed = owed !== undefined && (least === undefined ? value > owed : value < owed);
    const show = (number: number) => `${unit === '/s' ? rate(number) : ms(number)} ${unit}`;
    const promised = least ?? most;
    return [
      name,
      show(value),
      p50 === undefined ? '' : ms(p50),
      promised === undefined ? '' : show(promised),
      rate(bare),
      owed === undefined ? '' : show(owed),
      owed === undefined ? '' : isMissed ? 'missed' : 'met',
    ];
  });
  const head = ['', 'Measured', 'p50 ms', 'Target', 'Bare reads/s', 'Owed here', ''];
  return toMarkdown(head, lines);
}
