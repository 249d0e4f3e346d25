import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runChecks } from './check.ts';
import { prepareChromium } from './chromium.ts';
import { withEnd } from './lifetime.ts';
import { refuse } from './progress.mjs';
import { type RingResult, summarize } from './test/results.ts';
import { runBrowser } from './test/run-browser.ts';
import { runVitest } from './test/run-vitest.ts';

/**
 * `npm test`: every check and every ring, all of them even when one fails; the last line is the sum. `npm test -- members`: the checks,
 * and of every ring the tests whose path or name contains the word.
 */
export function run([word]: string[]): Promise<void> {
  return withEnd(async () => {
    const rings = await runAll(word);
    const tests = rings.flatMap((ring) => ring.tests);
    process.exitCode = tests.some(({ outcome }) => outcome === 'failed') ? 1 : 0;
    console.log(summarize(rings));
  });
}

export async function runAll(word?: string): Promise<RingResult[]> {
  const reports = mkdtempSync(join(tmpdir(), 'gatehouse-reports-'));
  try {
    // What comes over the network comes while the cores are busy with something else.
    const chromium = word === undefined ? prepareChromium() : undefined;
    chromium?.catch(() => undefined);
    const checks = await runChecks();
    console.log('\nUnit, verb and contract tests');
    const inside = await runVitest(reports, word);
    const browser = await runBrowser(reports, word, () => chromium ?? prepareChromium());
    const none = [...inside, ...browser].every(({ tests }) => tests.length === 0);
    if (word !== undefined && none) refuse(`No test has "${word}" in its path or name.`);
    return [checks, ...inside, ...browser];
  } finally {
    rmSync(reports, { recursive: true, force: true });
  }
}
