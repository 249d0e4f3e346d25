import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { holdToOneProject } from '../one-project/hold.ts';
import { holdToOneTask } from '../one-task/hold.ts';
import type { ServerRole } from './database.ts';
import { type LeftStatements, mergeStatements } from './noted-statements.ts';
import { startTestServer, type TestServer } from './test-server.ts';

declare module 'vitest' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface can be added to.
  export interface ProvidedContext {
    templateUrl: string;
    serverRole: ServerRole | null;
    /** Where each process leaves the statements that it has sent. */
    statementDir: string;
  }
}

let server: Promise<TestServer> | undefined;
let users = 0;
let statementDir: string | undefined;

/** Vitest calls this once for every project with a database; they share one server. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  users += 1;
  server ??= startTestServer();
  const { templateUrl, role, stop } = await server;
  project.provide('templateUrl', templateUrl);
  project.provide('serverRole', role);
  statementDir ??= mkdtempSync(join(tmpdir(), 'gatehouse-statements-'));
  project.provide('statementDir', statementDir);
  return async () => {
    users -= 1;
    if (users > 0) return;
    await stop();
    await judgeStatements(statementDir!);
  };
}

/**
 * Of so many test files. A text that varies with what a caller sends makes thousands, and PostgreSQL keeps each that is prepared; a room that
 * is added brings its own with its tests, about eight a file.
 */
const mostTexts = (files: number) => 1700 + 6 * files;
/** As vitest.config.ts has it: but for route-tree.test.ts. */
const WITH_DATABASE = '{app,lib/testing,lib/domain,lib/infra,lib/http}/**/*.test.ts';
const WITHOUT = 1;

async function judgeStatements(dir: string): Promise<void> {
  // Beside what files have been kept (`data`).
  const names = readdirSync(dir).filter((name) => /^\d+$/.test(name));
  const left = names.map((name) => JSON.parse(readFileSync(join(dir, name), 'utf8')) as LeftStatements);
  rmSync(dir, { recursive: true });
  const statements = mergeStatements(left.flatMap((one) => one.statements));
  const { length } = statements.filter(({ drawn }) => !drawn);
  process.stdout.write(`${length} different SQL texts, and ${statements.length - length} drawn by chance\n`);
  const files = left.reduce((sum, one) => sum + one.files, 0);
  const most = mostTexts(files);
  if (length > most)
    throw new Error(`${length} different SQL texts are more than ${most}: which of them varies with values?`);
  const isWhole = files >= globSync(WITH_DATABASE).length - WITHOUT;
  holdToOneProject(statements, { isWhole });
  const cluster = process.env.TEST_SHARED_DATABASE_URL;
  if (cluster) await holdToOneTask(cluster, statements);
}
