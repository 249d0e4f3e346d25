import { env } from '#lib/base/env.ts';
import { log } from '#lib/base/log.ts';
import { pace } from '#lib/base/pace.ts';
import { findListened, type Listened, tellHeard } from '#lib/domain/hl7-feeds/listened.ts';
import { createMessageRunner } from '#lib/domain/hl7-feeds/run-messages.ts';
import { lead } from '#lib/infra/jobs/lead.ts';
import { lookAgain } from '../server/look-again.ts';
import { createSwitchboard } from './switchboard.ts';

/** A feed that nothing happens on is said to be listened to so often. */
const SAY_MS = 3000;

/**
 * Listens for HL7 v2 where feeds say so, and runs what has come, in one process of all on the database; another goes on within seconds where that one is gone.
 * Resolves to what ends it here.
 */
export function startMllp(): Promise<() => Promise<void>> {
  return lead('mllp', begin);
}

async function begin(): Promise<() => Promise<void>> {
  const runner = createMessageRunner();
  const switchboard = createSwitchboard(runner);
  const woken = new Map<string, number>();
  let saidAt = 0;
  const stopLooking = lookAgain(pace.hl7WatchMs, 'feeds of HL7 v2 could not be looked for', async () => {
    const feeds = await findListened();
    for (const feed of feeds) if (isNew(feed)) runner.wake(feed);
    await switchboard.connect(isOn() ? feeds.filter(({ active }) => active) : []);
    const isDue = performance.now() - saidAt >= SAY_MS;
    const heard = switchboard.hear(feeds, isDue);
    if (heard.length > 0) await tellHeard(heard);
    if (isDue) saidAt = performance.now();
  });
  return async () => {
    await stopLooking();
    await Promise.all([switchboard.close(), runner.stop()]);
    await tellHeard(switchboard.hear(await findListened(), true)).catch((err) => log.warn({ err }, 'feeds of HL7 v2'));
  };

  /** Seen for the first time, or somebody wants messages run again. */
  function isNew({ id, wokenAt }: Listened): boolean {
    const at = wokenAt?.getTime() ?? 0;
    if (woken.get(id) === at) return false;
    woken.set(id, at);
    return true;
  }
}

function isOn(): boolean {
  const { MLLP_PORTS, MLLP_TLS_PORT } = env();
  return MLLP_PORTS !== undefined || MLLP_TLS_PORT !== undefined;
}
