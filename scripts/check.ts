import { existsSync, writeFileSync } from 'node:fs';
import { runCommand } from './run-command.ts';
import type { RingResult, TestResult } from './test/results.ts';

const CHECKS = [
  { name: 'Types', command: ['tsc', '--noEmit', '-p', '.'] },
  { name: 'Lint', command: ['biome', 'check', '--error-on-warnings'] },
  {
    name: 'Import rules',
    command: ['depcruise', 'app', 'components', 'lib', 'e2e', 'scripts', 'server.ts', 'instrumentation.ts'],
  },
  { name: 'Unused code', command: ['knip', '--no-config-hints'] },
  { name: 'House rules', command: [process.execPath, 'scripts/house-rules.ts'] },
];

/** `npm run check`: what can be said about the sources without running them, in seconds. */
export async function run(): Promise<void> {
  const { tests } = await runChecks();
  process.exitCode = tests.some(({ outcome }) => outcome === 'failed') ? 1 : 0;
}

export async function runChecks(): Promise<RingResult> {
  declareNextTypes();
  return { ring: 'checks', tests: await Promise.all(CHECKS.map(runCheck)) };
}

async function runCheck({ name, command }: (typeof CHECKS)[number]): Promise<TestResult> {
  const started = performance.now();
  const [file = '', ...args] = command;
  const { code, output } = await runCommand(file, args);
  const ms = performance.now() - started;
  console.log(`${code === 0 ? '✓' : '✗'} ${name}  ${(ms / 1000).toFixed(1)} s${code === 0 ? '' : `\n${output}`}`);
  return { name, ms, outcome: code === 0 ? 'passed' : 'failed' };
}

/** Next writes this file when it builds; in a fresh clone the types are checked first. */
function declareNextTypes(): void {
  const file = 'next-env.d.ts';
  if (!existsSync(file))
    writeFileSync(file, '/// <reference types="next" />\n/// <reference types="next/image-types/global" />\n');
}
