import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JSONReport, JSONReportSuite } from '@playwright/test/reporter';
import { buildWhenStale } from '../build.ts';
import { runCommand } from '../run-command.ts';
import { brokenRun, type RingResult, type TestResult } from './results.ts';
import { anyCase } from './select-files.ts';

/**
 * The ring with a browser: all of its tests, or those whose path or name contains `word`; none is run for a word that no test has. A
 * browser that cannot be had or a build that fails counts as failed: these tests are never left out in silence.
 */
export async function runBrowser(
  reports: string,
  word: string | undefined,
  chromium: () => Promise<string>,
): Promise<RingResult[]> {
  const which = word === undefined ? [] : ['--grep', anyCase(word), '--pass-with-no-tests'];
  if (
    word !== undefined &&
    /^Total: 0 tests/m.test((await runCommand('playwright', ['test', '--list', ...which])).output)
  )
    return [];
  console.log('\nEnd-to-end tests');
  try {
    const path = await chromium();
    await buildWhenStale();
    const report = join(reports, 'playwright.json');
    const env = { CHROMIUM_PATH: path, E2E_DATA_DIR: join(reports, 'data'), PLAYWRIGHT_JSON_OUTPUT_NAME: report };
    const { code, output } = await runCommand('playwright', ['test', '--reporter=list,json', ...which], {
      live: true,
      env,
    });
    const tests = existsSync(report) ? readReport(JSON.parse(readFileSync(report, 'utf8'))) : [];
    const failed = tests.some(({ outcome }) => outcome === 'failed');
    return [ring(code !== 0 && !failed ? [...tests, brokenRun(output)] : tests)];
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    console.error(`✗ ${text}`);
    return [ring([brokenRun(text)])];
  }
}

const ring = (tests: TestResult[]): RingResult => ({ ring: 'end to end', tests });
const OUTCOMES = { expected: 'passed', unexpected: 'failed', flaky: 'flaky' } as const;

function readReport({ suites }: JSONReport): TestResult[] {
  return suites.flatMap((suite) => readSuite(suite, []));
}

function readSuite(suite: JSONReportSuite, names: string[]): TestResult[] {
  const here = [...names, suite.title];
  const own = suite.specs.flatMap((spec) =>
    spec.tests.flatMap(({ status, results }): TestResult[] => {
      if (status === 'skipped') return [];
      const name = `e2e/${[...here, spec.title].join(' › ')}`;
      const why = results.find(({ error }) => error)?.error?.message;
      return [{ name, ms: results.at(-1)?.duration ?? 0, outcome: OUTCOMES[status], ...(why && { why }) }];
    }),
  );
  return [...own, ...(suite.suites ?? []).flatMap((inner) => readSuite(inner, here))];
}
