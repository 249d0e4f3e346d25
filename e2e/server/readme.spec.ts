import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from '../fixtures.ts';

const run = promisify(execFile);

test('the README’s calls work as pasted', async ({ baseURL }) => {
  const readme = readFileSync('README.md', 'utf8');
  const blocks = [...readme.matchAll(/```sh\n(.*?)```/gs)].map((match) => match[1]);
  const script = blocks
    .join('\n')
    .replaceAll('http://localhost:3000', baseURL!)
    .replaceAll('.data/', `${process.env.E2E_DATA_DIR}/`);
  const { stdout } = await run('bash', ['-ec', script], { timeout: 40_000, env: { ...process.env, FORCE_COLOR: '0' } });
  expect(stdout.trim().split('\n')).toEqual([
    ...['ok', 'true', '2', 'ok'],
    ...['201 Created', '2'],
    ...['ok', 'Ada', 'Hillside Hospital'],
  ]);
});
