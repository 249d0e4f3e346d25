import { buildWhenStale } from './build.ts';
import { prepareDatabase } from './database.ts';
import { end, isEnding, startNode, withEnd } from './lifetime.ts';
import { progress } from './progress.mjs';
import { prepareSettings, prepareSuperadmin, type Settings, type Superadmin } from './settings.ts';

/** A little more than the server gives its own requests and the jobs that it was asked for to finish. */
const DRAIN_LIMIT_MS = 35_000;

/** `npm start`: build, database, schema, production server; then wait for the end. */
export function run(): Promise<void> {
  return withEnd(async () => {
    const settings = await prepareSettings('production');
    await buildWhenStale();
    const cluster = await prepareDatabase(settings);
    if (cluster) endWithPostgres(cluster.pid);
    const superadmin = prepareSuperadmin(settings);
    await progress('Server', serve);
    console.log(greet(settings, superadmin));
  });
}

async function serve(): Promise<void> {
  const server = startNode(['server.ts'], DRAIN_LIMIT_MS);
  server.once('exit', (code) => void end(code ?? 1));
  await new Promise<void>((ready) => server.once('message', () => ready()));
}

/** The embedded database died: nothing can be served, and the next start recovers what was committed. */
function endWithPostgres(pid: number): void {
  const watch = setInterval(() => {
    try {
      process.kill(pid, 0);
    } catch {
      clearInterval(watch);
      if (isEnding()) return;
      console.error('✗ PostgreSQL ended unexpectedly. Start again: it recovers everything that was committed.');
      void end(1);
    }
  }, 1000);
}

function greet(
  { BASE_URL, DATA_DIR, RESEND_API_KEY, SUPERADMIN_CLIENT_ID }: Settings,
  superadmin: Superadmin | undefined,
): string {
  const lines = ['', `Gatehouse runs at ${BASE_URL}`, `Open ${BASE_URL}/register to create your first project.`];
  if (!RESEND_API_KEY) lines.push(`Mail is kept at ${BASE_URL}/dev/mail, because RESEND_API_KEY is not set.`);
  const kept = `${DATA_DIR}/superadmin.json`;
  if (superadmin) {
    lines.push('The super-admin client, shown this once:', `  client id      ${superadmin.clientId}`);
    lines.push(`  client secret  ${superadmin.clientSecret}`, `  kept in        ${kept}`);
  } else if (!SUPERADMIN_CLIENT_ID) lines.push(`The super-admin client is kept in ${kept}`);
  return [...lines, 'Ctrl-C stops everything.', ''].join('\n');
}
