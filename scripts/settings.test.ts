import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fittingProcesses } from './settings.ts';

const LAUNCHER = join(import.meta.dirname, 'launch.mjs');

test.each([
  ['RETAIN_RUNS_DAYS', 'abc'],
  ['STATEMENT_CONNECTIONS', '0'],
  ['SERVER_PROCESSES', 'all'],
  ['DATABASE_URL', 'postgres://localhost/x?sslmode=require&sslmode=disable'],
  ['DATABASE_DIRECT_URL', 'postgres://localhost/x'],
  ['DATABASE_OWNER_URL', 'postgres://localhost/x'],
])('a wrong %s is named, and ends npm start with what tells a supervisor not to try again', (name, value) => {
  const env = { NODE_ENV: 'production', PATH: process.env.PATH, [name]: value } as const;
  const { status, stderr } = spawnSync(process.execPath, [LAUNCHER, 'start'], { env, encoding: 'utf8' });
  expect(stderr).toContain(name);
  expect(status).toBe(78);
});

test.each([
  [1, 64, 1],
  [2, 64, 1],
  [4, 64, 2],
  [4, 1, 1],
  [8, 3, 3],
  [64, 256, 4],
])('%i cores and %i GiB have room for %i server processes', (cores, gib, processes) => {
  expect(fittingProcesses(cores, gib * 2 ** 30)).toBe(processes);
});
