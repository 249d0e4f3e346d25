import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import postgres from 'postgres';
import { forPostgres, parseAddress } from '#lib/infra/db/address.ts';
import { openProject } from '../bench/open-project.ts';
import { request } from '../bench/request.ts';
import { asServer } from '../embedded-postgres/as-server.ts';
import { startCluster } from '../embedded-postgres/cluster.ts';
import { breachesOf, openLedger, toTable } from '../faults/ledger.ts';
import { startMailStandIn } from '../faults/mail-stand-in.ts';
import { settled } from '../faults/run-faults.ts';
import { openSite, type Site } from '../faults/site.ts';
import { verify } from '../faults/verify.ts';
import { work } from '../faults/work.ts';
import { atEnd } from '../lifetime.ts';
import { progress } from '../progress.mjs';
import { peopleCome } from './people.ts';
import { asProject, type Program, readAll, switchPrograms } from './programs.ts';
import { askWith, type Side } from './sides.ts';
import { openTally, type Version } from './tally.ts';

const CODE = 'exports.handler = async (medplum, event) => event.input;';
/** So long the old version is asked before the new one starts, and the new one when the old one has ended. */
const ALONE_MS = 5000;
/** A notice is on its way so long at most to a version that does not say that it has it. */
const UNANSWERED_MS = 1000;
/** Of pino's levels. */
const ERROR = /"level":(?:"error"|"fatal"|[56]0)/;
const MOST_SHOWN = 500;

/** Prints what was asked and the ledger; resolves to what was not as it should be. `oldRoot`: where the old version lies, built. */
export async function runUpgrade(dataDir: string, oldRoot: string, ms: number): Promise<string[]> {
  const mail = await startMailStandIn();
  const cluster = await startCluster({ dataDir, durable: true });
  atEnd(() => cluster.release());
  const common = { DATABASE_URL: cluster.url, AUTH_SECRET: randomBytes(32).toString('base64url') };
  const mailing = { RESEND_API_KEY: 're_stand_in', RESEND_BASE_URL: mail.url };
  const settings = { ...common, ...mailing, BASE_URL: 'http://upgrade.example' };
  const old = await openSite(join(dataDir, 'old'), settings, oldRoot);
  await progress('The old version serves', () => old.serves());

  const tally = openTally();
  const ask = askWith(tally);
  // What serves, as a balancer has it.
  const sides: [Side, Side] = [sideOf('old', old), sideOf('old', old)];
  const [first, second] = [await openProgram(old.base, 'owner'), await openProgram(old.base, 'second')];
  const other = await makeClient(old.base, first);
  const sql = postgres({ ...forPostgres(parseAddress(cluster.url)), max: 1, onnotice: () => undefined });
  const ledger = openLedger();
  let newest: { key: string; id: string } | undefined;
  const project = asProject(ask, sides, first, (key, id) => {
    newest = { key, id };
  });
  const ended = { status: 401, withinMs: answersRounds(oldRoot) ? 0 : UNANSWERED_MS };
  const prove = (email: string) => proveAddress(sql, email);
  let isOver = false;
  const goesOn = () => !isOver;
  const asked = Promise.all([
    work(project, ledger, goesOn),
    readAll(ask, sides, first, () => newest, goesOn),
    switchPrograms(ask, sides, first, other, ended, goesOn),
    peopleCome(ask, sides, [first, second], prove, ended, goesOn),
  ]);
  asked.catch(() => undefined);
  await pause(ALONE_MS);
  // As the documented upgrade has it: the old one goes on as the owner of the tables, the new one serves by a role that it makes.
  const current = await openSite(join(dataDir, 'new'), {
    ...settings,
    DATABASE_URL: asServer(cluster.url, dataDir),
    DATABASE_OWNER_URL: cluster.url,
  });
  await progress('The new version has migrated its tables, and serves beside it', () => current.serves());
  Object.assign(sides[1], sideOf('new', current));
  await progress('Both are asked', () => pause(ms));
  Object.assign(sides[0], sideOf('new', current));
  await progress('The old version has ended', () => old.stop());
  await pause(ALONE_MS);
  isOver = true;
  await asked;
  await settled(sql);
  const verdicts = await verify(sql, first.projectId, ledger, mail);
  await sql.end();
  await current.stop();
  await cluster.release();
  console.log(`\n${tally.toTable()}\n\n${toTable(ledger, verdicts)}\n`);
  return [...tally.problems, ...breachesOf(verdicts), ...[old, current].flatMap(errorsIn)];
}

/** Whether what ends a token waits for that version to know, and that version for ours (proven-listener.ts). */
function answersRounds(root: string): boolean {
  const file = join(root, 'lib/infra/db/proven-listener.ts');
  return existsSync(file) && readFileSync(file, 'utf8').includes('gatehouse_round');
}

function sideOf(version: Version, { base }: Site): Side {
  return { version, base };
}

/** As if they had followed a link. */
function proveAddress(sql: postgres.Sql, email: string) {
  return sql`update resource u set content = u.content || '{"emailVerified":true}' from user_login l
    where l.email_lower = ${email} and u.project_id = l.scope and u.type_id = 156 and u.id = l.user_id::text`;
}

/** What the background could not do. A 503 is none of that: whoever was answered with one has it in their count, and we ask for our health before there is any. */
function errorsIn({ logFile }: Site): string[] {
  const lines = readFileSync(logFile, 'utf8').split('\n');
  return lines
    .filter((line) => ERROR.test(line) && !line.includes('"code":"unavailable"'))
    .map((line) => `${logFile}: ${line.slice(0, MOST_SHOWN)}`);
}

async function openProgram(base: string, owner: string): Promise<Program> {
  const { projectId, credentials, signIn } = await openProject(base, `${owner}@bench.example`);
  const token = await signIn();
  const bot = await request(base, 'POST', `admin/projects/${projectId}/bot`, { body: { name: 'Echo' }, token });
  await request(base, 'POST', `fhir/R4/Bot/${bot.id}/$deploy`, { body: { code: CODE, filename: 'echo.js' }, token });
  const { grant_type: _, ...named } = Object.fromEntries(new URLSearchParams(credentials));
  return { projectId, botId: bot.id, credentials: named, tokens: [token, token] };
}

function makeClient(base: string, { projectId, tokens }: Program): Promise<{ id: string; secret: string }> {
  return request(base, 'POST', `admin/projects/${projectId}/client`, { body: { name: 'Other' }, token: tokens[0] });
}
