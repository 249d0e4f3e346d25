import { end, startNode, withEnd } from './lifetime.ts';
import { refuse } from './progress.mjs';
import { runAll } from './test.ts';

const BUSY = 'for (;;);';

/**
 * `npm run test:soak -- 5`: the whole suite so many times, with no second tries, while another process keeps a core busy. Ends with every
 * test that failed at least once, and how often. `npm run test:soak -- 30 clients`: only the tests whose path or name contains the word.
 */
export function run([times = '5', word]: string[]): Promise<void> {
  const runs = Number(times);
  if (!Number.isInteger(runs) || runs < 1) refuse('Usage: npm run test:soak -- <times> [word]');
  return withEnd(async () => {
    process.env.SOAK = '1';
    startNode(['-e', BUSY], 1000);
    const failures = new Map<string, number>();
    for (let at = 1; at <= runs; at++) {
      const started = performance.now();
      const failed = (await runAll(word)).flatMap((ring) => ring.tests).filter(({ outcome }) => outcome === 'failed');
      for (const { name } of failed) failures.set(name, (failures.get(name) ?? 0) + 1);
      const minutes = ((performance.now() - started) / 60_000).toFixed(1);
      console.log(`\nRun ${at} of ${runs}, ${new Date().toISOString()}: ${failed.length} failed, ${minutes} min`);
    }
    console.log(failures.size === 0 ? `\nNothing failed in ${runs} runs` : '\nFailed at least once');
    for (const [name, count] of failures) console.log(`  ${count} of ${runs}  ${name}`);
    process.exitCode = failures.size === 0 ? 0 : 1;
    await end(process.exitCode);
  });
}
