import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const LAUNCHER = join(import.meta.dirname, 'launch.mjs');

test.each([
  ['RETAIN_RUNS_DAYS', 'abc'],
  ['STATEMENT_CONNECTIONS', '0'],
  ['DATABASE_URL', 'postgres://localhost/x?sslmode=require&sslmode=disable'],
])('a wrong %s is named, and ends npm start with what tells a supervisor not to try again', (name, value) => {
  const env = { NODE_ENV: 'production', PATH: process.env.PATH, [name]: value } as const;
  const { status, stderr } = spawnSync(process.execPath, [LAUNCHER, 'start'], { env, encoding: 'utf8' });
  expect(stderr).toContain(name);
  expect(status).toBe(78);
});
