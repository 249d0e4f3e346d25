import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../run-command.ts';
import { brokenRun, type RingResult } from './results.ts';
import { anyCase, selectFiles } from './select-files.ts';

const FILES = ['{app,components,lib,scripts}/**/*.test.{ts,tsx}'];

/** The rings without a browser: all of their tests, or those whose path or name contains `word`. */
export async function runVitest(reports: string, word: string | undefined): Promise<RingResult[]> {
  if (word === undefined) return run(join(reports, 'all.json'), []);
  const { whole, byName } = selectFiles(FILES, word);
  const rings: RingResult[] = [];
  if (whole.length > 0) rings.push(...(await run(join(reports, 'whole.json'), whole)));
  if (byName.length > 0) {
    rings.push(
      ...(await run(join(reports, 'by-name.json'), [
        ...byName,
        '--hideSkippedTests',
        '--testNamePattern',
        anyCase(word),
      ])),
    );
  }
  return rings;
}

async function run(report: string, args: string[]): Promise<RingResult[]> {
  const reporters = ['--reporter=dot', '--reporter=./scripts/test/vitest-reporter.ts'];
  const env = { VITEST_RINGS: report };
  const { code, output } = await runCommand('vitest', ['run', ...reporters, '--passWithNoTests', ...args], {
    live: true,
    env,
  });
  const rings: RingResult[] = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : [];
  const failed = rings.some((ring) => ring.tests.some(({ outcome }) => outcome === 'failed'));
  // A run that breaks off counts as failed, whatever was well until then.
  if (code !== 0 && !failed) rings.push({ ring: 'vitest', tests: [brokenRun(output)] });
  return rings.filter(({ tests }) => tests.length > 0);
}
