import type { ChildProcess } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '#lib/infra/db/migrate.ts';
import { findFreePort } from '#lib/infra/net/free-port.ts';
import { install } from '../cluster/install.ts';
import { startNodes } from '../cluster/nodes.ts';
import { DATABASE, inDatabase, startServer, urlOf } from '../cluster/server.ts';
import { atEnd } from '../lifetime.ts';
import { progress, refuse } from '../progress.mjs';
import { ask, start } from './child.ts';
import type { Job, Measured, Scenario } from './scenario.ts';
import { seed } from './seed.ts';
import { analyze, serverSettings } from './server.ts';
import { ms, rate, toMarkdown } from './table.ts';

const WORKERS = 2;
const CONNECTIONS = 32;
const WARM_UP_SECONDS = 2;
const SECONDS = 5;

type Site = { base: string; scenarios: Scenario[] };

/**
 * `npm run bench -- --cluster` (Debian 12, root): the production server on a plain PostgreSQL 15, and another on a Citus of one coordinator and
 * two workers with the same settings, turn by turn. Everything is durable.
 */
export async function benchCluster(): Promise<void> {
  await progress('Citus', install);
  const home = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
  // PostgreSQL does not run as root, and must find its way.
  chmodSync(home, 0o711);
  atEnd(async () => rmSync(home, { recursive: true, force: true }));
  const plain = await progress('Plain PostgreSQL 15', () => startPlain(home));
  const citus = await progress(`Citus: a coordinator and ${WORKERS} workers`, async () => {
    mkdirSync(join(home, 'citus'));
    return (await startNodes(join(home, 'citus'), WORKERS, '')).url;
  });
  const sites: Site[] = [];
  for (const [name, url] of Object.entries({ plain, citus }))
    sites.push(await progress(`Server and a project with 1,000 members: ${name}`, () => open(home, name, url)));
  const load = await start('bench/load.ts');
  const rows: string[][] = [];
  for (const [at, { name }] of sites[0]!.scenarios.entries()) {
    await progress(name, async () => {
      const [onPlain, onCitus] = [await measure(load, sites[0]!, at), await measure(load, sites[1]!, at)];
      rows.push([name, ...toCells(onPlain), ...toCells(onCitus), (onCitus.perSecond / onPlain.perSecond).toFixed(2)]);
    });
  }
  const head = ['', 'Plain requests/s', 'p50 ms', 'p99 ms', 'Citus requests/s', 'p50 ms', 'p99 ms', 'Of plain'];
  console.log(`\n${cpus().length} cores shared by all, ${CONNECTIONS} connections, ${SECONDS} s each.\n`);
  console.log(toMarkdown(head, rows));
}

async function startPlain(home: string): Promise<string> {
  const server = await startServer(home, 'plain', '');
  await inDatabase(server, 'postgres', `create database ${DATABASE}`);
  return urlOf(server);
}

async function open(home: string, name: string, url: string): Promise<Site> {
  await migrate(url);
  const port = await findFreePort();
  const env = { ...serverSettings(url, port), DATA_DIR: join(home, `${name}-data`) };
  await start('../server.ts', { env });
  const scenarios = await seed(env.BASE_URL);
  await analyze(url);
  return { base: env.BASE_URL, scenarios };
}

async function measure(load: ChildProcess, { base, scenarios }: Site, at: number): Promise<Measured> {
  const job = { url: base, scenario: scenarios[at]!, connections: CONNECTIONS };
  await ask<Job, Measured>(load, { ...job, seconds: WARM_UP_SECONDS });
  const measured = await ask<Job, Measured>(load, { ...job, seconds: SECONDS });
  if (measured.failed > 0) refuse(`${job.scenario.name}: ${measured.failed} requests to ${base} failed`);
  return measured;
}

function toCells({ perSecond, p50, p99 }: Measured): string[] {
  return [rate(perSecond), ms(p50), ms(p99)];
}
