import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { pace } from '#lib/base/pace.ts';
import { asRole, cloneDatabase } from '../set-up/database.ts';
import { drawsItsQuestions, type LeftStatements, notedStatements, noteStatement } from '../set-up/noted-statements.ts';

// Before any module of the app is loaded: settings are parsed once.
Object.assign(process.env, {
  NODE_ENV: 'test',
  // As under server.ts: the caller's address stands in its header.
  GATEHOUSE_SERVER: '1',
  BASE_URL: 'http://localhost:3999',
  AUTH_SECRET: 'test-secret-that-is-32-characters-long',
  LOG_LEVEL: process.env.LOG_LEVEL ?? 'silent',
  DATA_DIR: join(inject('statementDir'), 'data'),
});
Object.assign(pace, {
  evenAnswerMs: 10,
  jobWatchSeconds: 1,
  hookRetrySeconds: 1,
  recordAgainMs: 20,
  exportSettleMs: 0,
  sweepPauseMs: 1,
  reindexRest: 0,
  deafMs: 0,
  queueCountMs: 0,
  importRetryMs: 1,
  jobBeatMs: 50,
  jobFreeMs: 200,
  lostJobWatchMs: 50,
  leadWatchMs: 50,
});
// A process has one database for all of its files: a test makes its own project and meets no rows of another.
const ownerUrl = await cloneDatabase(inject('templateUrl'));
// The program by the role that does not own its tables, as it is started; what a test arranges by SQL, by the owner's (own-db.ts).
Object.assign(process.env, { DATABASE_URL: asRole(ownerUrl, inject('serverRole')), TEST_OWNER_URL: ownerUrl });

const { lookAtCluster, watchStatements } = await import('#lib/infra/db/client.ts');
const { beforeShards } = await import('#lib/infra/db/cluster/on-shards.ts');
// Nothing is asked before a test has set what it wants set, but on a cluster, which all share.
if (process.env.TEST_SHARED_DATABASE_URL) await lookAtCluster();
watchStatements((text, params) => noteStatement(beforeShards(text), params));

let files = 0;

/** After each test file: leaves what this process has sent to PostgreSQL so far, for all of it to be judged together (global-setup.ts). */
export function leaveStatements(): void {
  files += 1;
  drawsItsQuestions(false);
  const left: LeftStatements = { files, statements: notedStatements() };
  writeFileSync(join(inject('statementDir'), String(process.pid)), JSON.stringify(left));
}

/** Whatever a test did to members: what is stored of them is true (check-standing.ts). Of the projects that this file made. */
export async function checkStandings(): Promise<void> {
  const { checkStanding } = await import('../set-up/check-standing.ts');
  await checkStanding();
}

/** Where all files share a database they share no attempts: each has the limits to itself, as everywhere. */
export async function forgetAttempts(): Promise<void> {
  if (!process.env.TEST_SHARED_DATABASE_URL) return;
  const { db } = await import('../set-up/own-db.ts');
  await db().delete((await import('#lib/infra/db/schema/identity.ts')).rateCounter);
}
