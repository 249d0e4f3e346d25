import { buildWhenStale } from './build.ts';
import { prepareDatabase } from './database.ts';
import { onReload, withEnd } from './lifetime.ts';
import { progress } from './progress.mjs';
import { prepareSettings, prepareSuperadmin, type Settings, type Superadmin } from './settings.ts';
import { keepPostgres } from './supervise/keep-postgres.ts';
import { type KeptServers, keepServers } from './supervise/keep-servers.ts';

/** `npm start`: build, database, schema, production server; then keeps them running until the end. */
export function run(): Promise<void> {
  return withEnd(async () => {
    const settings = await prepareSettings('production');
    await buildWhenStale();
    const embedded = await prepareDatabase(settings);
    const superadmin = prepareSuperadmin(settings);
    let servers: KeptServers | undefined;
    if (embedded) void keepPostgres(embedded, () => void servers?.replace({ atOnce: true }));
    const { SERVER_PROCESSES: processes } = settings;
    servers = await progress(processes === 1 ? 'Server' : `Server, ${processes} processes`, () =>
      keepServers(processes),
    );
    onReload(() => void servers.replace());
    console.log(greet(settings, superadmin));
  });
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
