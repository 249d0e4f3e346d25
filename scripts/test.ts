import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildWhenStale } from './build.ts';
import { runChecks } from './check.ts';
import { prepareChromium } from './chromium.ts';
import { withEnd } from './lifetime.ts';
import { runCommand } from './run-command.ts';

type Count = { passed: number; failed: number };

/** `npm test`: every check and every ring, all of them even when one fails. The last line is the sum. */
export function run(): Promise<void> {
  return withEnd(async () => {
    const reports = mkdtempSync(join(tmpdir(), 'gatehouse-reports-'));
    try {
      const counts = [await runChecks(), await runVitest(join(reports, 'vitest.json')), await runBrowser(reports)];
      const passed = counts.reduce((sum, count) => sum + count.passed, 0);
      const failed = counts.reduce((sum, count) => sum + count.failed, 0);
      process.exitCode = failed > 0 ? 1 : 0;
      console.log(`\n${passed} passed, ${failed} failed`);
    } finally {
      rmSync(reports, { recursive: true, force: true });
    }
  });
}

async function runVitest(report: string): Promise<Count> {
  console.log('\nUnit, verb and contract tests');
  const reporters = ['--reporter=dot', '--reporter=json', `--outputFile.json=${report}`];
  const { code } = await runCommand('vitest', ['run', ...reporters], { live: true });
  return count(report, code, (json) => ({ passed: json.numPassedTests, failed: json.numFailedTests }));
}

/** A browser that cannot be had or a build that fails counts as failed: the end-to-end tests are never left out in silence. */
async function runBrowser(reports: string): Promise<Count> {
  console.log('\nEnd-to-end tests');
  try {
    const chromium = await prepareChromium();
    await buildWhenStale();
    const report = join(reports, 'playwright.json');
    const env = { CHROMIUM_PATH: chromium, E2E_DATA_DIR: join(reports, 'data'), PLAYWRIGHT_JSON_OUTPUT_NAME: report };
    const { code } = await runCommand('playwright', ['test', '--reporter=list,json'], { live: true, env });
    return count(report, code, ({ stats }) => ({ passed: stats.expected + stats.flaky, failed: stats.unexpected }));
  } catch (error) {
    console.error(`✗ ${error instanceof Error ? error.message : error}`);
    return { passed: 0, failed: 1 };
  }
}

/** A runner that ends with an error and counts no failed test (a suite that does not load, none found) has failed once. */
// biome-ignore lint/suspicious/noExplicitAny: two foreign report formats, of which two numbers are read.
function count(report: string, code: number, read: (json: any) => Count): Count {
  try {
    const { passed, failed } = read(JSON.parse(readFileSync(report, 'utf8')));
    return { passed, failed: code !== 0 && failed === 0 ? 1 : failed };
  } catch {
    return { passed: 0, failed: 1 };
  }
}
