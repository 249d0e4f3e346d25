import { existsSync, writeFileSync } from 'node:fs';
import { runCommand } from './run-command.ts';

const CHECKS = [
  { name: 'Types', command: ['tsc', '--noEmit', '-p', '.'] },
  { name: 'Lint', command: ['biome', 'check', '--error-on-warnings'] },
  {
    name: 'Import rules',
    command: ['depcruise', 'app', 'components', 'lib', 'e2e', 'scripts', 'server.ts', 'instrumentation.ts'],
  },
  { name: 'Unused code', command: ['knip', '--no-config-hints'] },
];

/** `npm run check`: what can be said about the sources without running them, in seconds. */
export async function run(): Promise<void> {
  const { failed } = await runChecks();
  process.exitCode = failed > 0 ? 1 : 0;
}

export async function runChecks(): Promise<{ passed: number; failed: number }> {
  declareNextTypes();
  const results = await Promise.all(CHECKS.map(runCheck));
  const failed = results.filter((ok) => !ok).length;
  return { passed: results.length - failed, failed };
}

async function runCheck({ name, command }: (typeof CHECKS)[number]): Promise<boolean> {
  const started = performance.now();
  const [file = '', ...args] = command;
  const { code, output } = await runCommand(file, args);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${code === 0 ? '✓' : '✗'} ${name}  ${seconds} s${code === 0 ? '' : `\n${output}`}`);
  return code === 0;
}

/** Next writes this file when it builds; in a fresh clone the types are checked first. */
function declareNextTypes(): void {
  const file = 'next-env.d.ts';
  if (!existsSync(file))
    writeFileSync(file, '/// <reference types="next" />\n/// <reference types="next/image-types/global" />\n');
}
