import { setTimeout as pause } from 'node:timers/promises';
import type { EmbeddedDatabase } from '../database.ts';
import { isAlive } from '../embedded-postgres/postmaster.ts';
import { isEnding } from '../lifetime.ts';
import { createBackOff } from './back-off.ts';

const LOOK_MS = 1000;

/** Starts the embedded PostgreSQL again whenever it ends; it recovers what was committed. `onMove`: its address is another one. */
export async function keepPostgres(database: EmbeddedDatabase, onMove: () => void): Promise<never> {
  const backOff = createBackOff();
  let since = performance.now();
  for (;;) {
    await pause(LOOK_MS);
    if (isEnding() || isAlive(database.pid())) continue;
    const wait = backOff.next(performance.now() - since);
    console.error(`✗ PostgreSQL ended unexpectedly; started again in ${wait / 1000} s.`);
    await pause(wait);
    if (isEnding()) continue;
    try {
      const hasMoved = await database.restart();
      console.log('✓ PostgreSQL runs again, with everything that was committed.');
      if (hasMoved) onMove();
    } catch (error) {
      console.error(`✗ ${error instanceof Error ? error.message : error}`);
    }
    since = performance.now();
  }
}
