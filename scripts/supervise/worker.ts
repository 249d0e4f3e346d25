import { existsSync } from 'node:fs';
import { prepareDatabase } from '../database.ts';
import { onReload, withEnd } from '../lifetime.ts';
import { progress, refuse } from '../progress.mjs';
import { prepareSettings } from '../settings.ts';
import { keepServers } from './keep-servers.ts';

const NEEDED = ['DATABASE_URL', 'AUTH_SECRET', 'BASE_URL'] as const;

/**
 * `npm run worker`: the same processes as `npm start`, kept in the same way, which take jobs and no requests: mail, deliveries and the bots
 * that they run, bulk jobs, imports, sweeps. On its PORT a worker says how it does: /healthcheck and /metrics.
 */
export function run(): Promise<void> {
  return withEnd(async () => {
    // Before what is missing is made: a secret of its own would open nothing of the servers'.
    if (existsSync('.env')) process.loadEnvFile('.env');
    const missing = NEEDED.filter((name) => !process.env[name]);
    if (missing.length > 0) refuse(`A worker needs what its servers have: ${missing.join(', ')}.`);
    const settings = await prepareSettings('production');
    await prepareDatabase(settings);
    Object.assign(process.env, { GATEHOUSE_WORKER: '1', JOBS: 'here' });
    const { SERVER_PROCESSES: processes, PORT } = settings;
    const workers = await progress(processes === 1 ? 'Worker' : `Worker, ${processes} processes`, () =>
      keepServers(processes),
    );
    onReload(() => void workers.replace());
    console.log(`\nA worker takes jobs; /healthcheck and /metrics on port ${PORT}.\nCtrl-C stops it.\n`);
  });
}
