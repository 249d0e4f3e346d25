import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '#lib/infra/db/migrate.ts';
import { findFreePort } from '#lib/infra/net/free-port.ts';
import { ask, start } from './bench/child.ts';
import type { Job, Measured, Recorded, Scenario } from './bench/scenario.ts';
import { seed } from './bench/seed.ts';
import { analyze, serverSettings } from './bench/server.ts';
import { type Line, toTable } from './bench/table.ts';
import { buildWhenStale } from './build.ts';
import { startCluster } from './embedded-postgres/cluster.ts';
import { atEnd, end, withEnd } from './lifetime.ts';
import { progress, refuse } from './progress.mjs';

const CONNECTIONS = [1, 8, 32];
const WARM_UP_SECONDS = 1;
const SECONDS = 3;

/**
 * `npm run bench`: the production server beside a bare handler with the same SQL, on a database of its own. `--grow`, `--cluster`,
 * `--sizes`, `--sign-in`, `--bots`, `--policies`: see bench/grow.ts, bench/on-cluster.ts, bench/sizes.ts, bench/sign-in.ts, bench/bots.ts,
 * bench/policies.ts.
 */
export function run(args: string[] = []): Promise<void> {
  return withEnd(async () => {
    // It serves the sources, and no page.
    if (!args.includes('--policies')) await buildWhenStale();
    if (args.includes('--cluster')) {
      await (await import('./bench/on-cluster.ts')).benchCluster();
      await end(0);
    }
    const url = await progress('PostgreSQL in a folder that is thrown away', startDatabase);
    const [port, barePort] = [await findFreePort(), await findFreePort()];
    const [base, bareBase] = [`http://localhost:${port}`, `http://localhost:${barePort}`];
    Object.assign(process.env, serverSettings(url, port));
    if (args.includes('--grow')) {
      process.env.LOG_LEVEL = 'error';
      await (await import('./bench/grow.ts')).grow(url, port);
      await end(0);
    }
    if (args.includes('--sizes')) {
      process.env.LOG_LEVEL = 'error';
      await (await import('./bench/sizes.ts')).benchSizes(url, base, args.slice(args.indexOf('--sizes') + 1));
      await end(0);
    }
    if (args.includes('--bots')) {
      process.env.LOG_LEVEL = 'error';
      await (await import('./bench/bots.ts')).benchBots(url, base);
      await end(0);
    }
    if (args.includes('--policies')) {
      process.env.LOG_LEVEL = 'error';
      await (await import('./bench/policies.ts')).benchPolicies(url);
      await end(0);
    }
    if (args.includes('--sign-in')) {
      await (await import('./bench/sign-in.ts')).benchSignIn(base);
      await end(0);
    }
    await progress('Production server', () => start('../server.ts'));
    const scenarios = await progress('A project with 1,000 members', () => seed(base));
    await analyze(url);
    const bare = await progress('Bare handler with the SQL that the product sends', async () => {
      const recorder = await start('bench/record.ts');
      const recorded = await ask<Scenario[], Recorded[]>(recorder, scenarios);
      const process = await start('bench/bare.ts', { args: [url, String(barePort)], saysReady: false });
      return ask<Recorded[], string>(process, recorded);
    });
    if (bare !== 'ready') refuse('The bare handler did not start');
    const load = await start('bench/load.ts');
    const lines: Line[] = [];
    for (const scenario of scenarios) {
      await progress(scenario.name, async () => lines.push(...(await measure(load, scenario, base, bareBase))));
    }
    console.log(`\n${cpus().length} cores shared with PostgreSQL and the load generator, ${SECONDS} s each.\n`);
    console.log(toTable(lines));
    await end(0);
  });
}

/** The product and the bare handler turn by turn, so that a slower minute of the machine is the same for both. */
async function measure(load: ChildProcess, scenario: Scenario, base: string, bareBase: string): Promise<Line[]> {
  const lines: Line[] = [];
  for (const connections of CONNECTIONS) {
    const of = async (url: string) => {
      await ask<Job, Measured>(load, { url, scenario, connections, seconds: WARM_UP_SECONDS });
      const measured = await ask<Job, Measured>(load, { url, scenario, connections, seconds: SECONDS });
      if (measured.failed > 0) refuse(`${scenario.name}: ${measured.failed} requests to ${url} failed`);
      return measured;
    };
    lines.push({ name: scenario.name, connections, product: await of(base), bare: await of(bareBase) });
  }
  return lines;
}

/** Its address. */
export async function startDatabase(): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
  process.env.DATA_DIR = dataDir;
  atEnd(async () => rmSync(dataDir, { recursive: true, force: true }));
  const cluster = await startCluster({ dataDir, durable: true });
  atEnd(() => cluster.release());
  await migrate(cluster.url);
  return cluster.url;
}
