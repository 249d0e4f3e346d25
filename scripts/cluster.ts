import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildWhenStale } from './build.ts';
import { checkStart } from './cluster/check-start.ts';
import { install } from './cluster/install.ts';
import { type Nodes, startNodes } from './cluster/nodes.ts';
import { testPooler } from './cluster/pooler.ts';
import { runCluster } from './cluster/run-cluster.ts';
import { end, withEnd } from './lifetime.ts';
import { progress, refuse } from './progress.mjs';
import { runCommand } from './run-command.ts';

const WORKERS = 2;
const SHOWN = 20;
/** What takes one round trip on one server may take four by way of the coordinator, and all nodes share the cores of this machine. */
const LIMITS = ['--testTimeout=240000', '--hookTimeout=240000'];
const PARTS = ['all', 'tests', 'ledger'];

/**
 * `npm run test:cluster`: the product on a Citus of this machine. All verb and contract tests share its database; then two server processes
 * behind HAProxy are written to while nodes and servers fall, come and take over. `-- tests` or `-- ledger`: the one or the other.
 */
export function run([part = 'all']: string[]): Promise<void> {
  if (!PARTS.includes(part)) refuse(`Usage: npm run test:cluster [-- ${PARTS.slice(1).join(' | ')}]`);
  return withEnd(async () => {
    await progress('Citus, HAProxy, PgBouncer', install);
    const home = mkdtempSync(join(tmpdir(), 'gatehouse-cluster-'));
    // PostgreSQL does not run as root, and must find its way.
    chmodSync(home, 0o711);
    const failed = part === 'ledger' ? [] : await runTests(home);
    if (part !== 'tests') {
      await buildWhenStale();
      failed.push(...(await runCluster(home, await makeNodes(home, 'site', WORKERS))));
    }
    for (const line of failed.slice(0, SHOWN)) console.log(`✗ ${line}`);
    console.log(failed.length === 0 ? 'All is well on a cluster.' : `${failed.length} breaches; logs in ${home}`);
    if (failed.length === 0) rmSync(home, { recursive: true, force: true });
    await end(failed.length === 0 ? 0 : 1);
  });
}

function makeNodes(home: string, name: string, workers: number): Promise<Nodes> {
  const own = join(home, name);
  mkdirSync(own);
  return progress(`Citus: a coordinator and ${workers} workers`, () => startNodes(own, workers));
}

async function runTests(home: string): Promise<string[]> {
  const nodes = await makeNodes(home, 'tests', 0);
  const wrong = await progress('What npm start makes of a cluster', () => checkStart(nodes, WORKERS));
  // First: its list of invitations would come behind all that the tests leave unfinished.
  wrong.push(...(await testPooler(nodes.url)));
  // One after the other: what a file looks for in all projects must not be another's that is not done yet.
  const args = ['run', '--reporter=dot', '--project=verb', '--project=contract', '--maxWorkers=1', ...LIMITS];
  const env = { TEST_SHARED_DATABASE_URL: nodes.url };
  for (const files of inTurn()) {
    const { code } = await runCommand('vitest', [...args, ...files], { live: true, env });
    if (code !== 0) wrong.push('tests fail on a cluster');
  }
  return wrong;
}

/** Those that have all projects of the database swept come first, while it has few. */
function inTurn(): string[][] {
  const all = ['app', 'lib'].flatMap((dir) =>
    readdirSync(dir, { recursive: true }).map((file) => join(dir, `${file}`)),
  );
  const files = all.filter((file) => file.endsWith('.test.ts') && !file.endsWith('.alone.test.ts'));
  const doSweep = (file: string) => /\b(dropOver|sweepStanding|sweepHistory)\(/.test(readFileSync(file, 'utf8'));
  return [files.filter(doSweep), files.filter((file) => !doSweep(file))];
}
