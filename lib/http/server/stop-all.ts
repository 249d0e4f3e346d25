import { log } from '#lib/base/log.ts';
import { within } from '#lib/base/within.ts';
import { ping } from '#lib/infra/db/ping.ts';

/** A part that is to end, and how long that may take while the database answers. */
export type Part = { stop: () => Promise<void>; limitMs: number };

const AWAY_MS = 1000;

/**
 * Ends the parts one after the other, also when one of them fails or takes too long. Who waits for a database that is away waits in vain:
 * then all end at once, within a second.
 */
export async function stopAll(parts: Record<string, Part>): Promise<void> {
  const end = ([part, { stop, limitMs }]: [string, Part]) =>
    within(limitMs, stop()).catch((err) => log.warn({ err, part }, 'a part did not stop'));
  const all = Object.entries(parts);
  if (await databaseAnswers()) {
    for (const part of all) await end(part);
  } else {
    log.error('the database does not answer: what waits to be written is lost');
    await Promise.all(all.map(([name, part]) => end([name, { ...part, limitMs: AWAY_MS }])));
  }
}

function databaseAnswers(): Promise<boolean> {
  return within(AWAY_MS, ping()).then(
    () => true,
    () => false,
  );
}
