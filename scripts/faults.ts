import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildWhenStale } from './build.ts';
import { runEvents } from './faults/events/run-events.ts';
import { runFaults } from './faults/run-faults.ts';
import { makeSmallDisk } from './faults/small-disk.ts';
import { FAULTS } from './faults/strikes.ts';
import { end, withEnd } from './lifetime.ts';
import { refuse } from './progress.mjs';

const SHOWN = 20;

/**
 * `npm run test:faults -- 10`: for so many minutes the product is written to while one thing after the other is killed, stopped or filled
 * up. Ends with what was acknowledged and what became of it; 1 when anything of that was lost, doubled or halved.
 * `npm run test:faults -- --events 10000`: so many events for a bot, while whatever may have one in its hands is killed (faults/events/run-events.ts).
 */
export function run([minutes = '5', events = '10000']: string[]): Promise<void> {
  if (minutes === '--events') return ofEvents(Number(events));
  const ms = Number(minutes) * 60_000;
  if (!(ms > 0)) refuse('Usage: npm run test:faults -- <minutes>');
  return withEnd(async () => {
    await buildWhenStale();
    const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-faults-'));
    const disk = await makeSmallDisk(dataDir);
    if (!disk) console.log('Only root can make a small disk: none is filled up.');
    const faults = FAULTS.filter((fault) => disk || !fault.needsDisk);
    const until = performance.now() + ms;
    const breaches = await runFaults(dataDir, faults, () => performance.now() < until);
    await disk?.remove();
    rmSync(dataDir, { recursive: true, force: true });
    for (const breach of breaches.slice(0, SHOWN)) console.log(`✗ ${breach}`);
    console.log(breaches.length === 0 ? 'Nothing was lost, doubled or halved.' : `${breaches.length} breaches`);
    await end(breaches.length === 0 ? 0 : 1);
  });
}

function ofEvents(events: number): Promise<void> {
  if (!(events > 0)) refuse('Usage: npm run test:faults -- --events <number>');
  return withEnd(async () => {
    await buildWhenStale();
    const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-events-'));
    const breaches = await runEvents(dataDir, events);
    rmSync(dataDir, { recursive: true, force: true });
    for (const breach of breaches.slice(0, SHOWN)) console.log(`✗ ${breach}`);
    console.log(breaches.length === 0 ? 'Every event ended once.' : `${breaches.length} breaches`);
    await end(breaches.length === 0 ? 0 : 1);
  });
}
