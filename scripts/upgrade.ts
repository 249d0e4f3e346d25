import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildWhenStale } from './build.ts';
import { end, withEnd } from './lifetime.ts';
import { refuse } from './progress.mjs';
import { checkOut, findOld } from './upgrade/check-out.ts';
import { runUpgrade } from './upgrade/run-upgrade.ts';

const SHOWN = 30;

/**
 * `npm run test:upgrade -- 10 [old commit]`: for so many minutes the version before (the newest tag, if nothing else is named) and this one
 * serve on the same database, as they do while a release is rolled out, and people and programs ask now the one and now the other. Ends with
 * what was asked and what was not answered as it should be; 1 when there is any of that, or anything was lost.
 */
export function run([minutes = '5', commit]: string[]): Promise<void> {
  const ms = Number(minutes) * 60_000;
  if (!(ms > 0)) refuse('Usage: npm run test:upgrade -- <minutes> [old commit]');
  return withEnd(async () => {
    const old = await checkOut(findOld(commit));
    await buildWhenStale();
    const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-upgrade-'));
    const problems = await runUpgrade(dataDir, old, ms);
    // What is left are logs.
    for (const part of problems.length > 0 ? ['postgres', 'old', 'new'] : [''])
      rmSync(join(dataDir, part), { recursive: true, force: true });
    for (const problem of problems.slice(0, SHOWN)) console.log(`✗ ${problem}`);
    console.log(problems.length === 0 ? 'No error, and nothing was lost.' : `${problems.length} problems`);
    await end(problems.length === 0 ? 0 : 1);
  });
}
