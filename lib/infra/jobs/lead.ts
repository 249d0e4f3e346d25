import { log } from '#lib/base/log.ts';
import { pace } from '#lib/base/pace.ts';
import { type Lease, tryLease } from '../db/single/leases.ts';

/** Whether this process has the place, so that no other begins. */
export type IsHeld = () => boolean;

/**
 * Does in one process on the database what is not to be done by several: `begin` starts it and resolves to what stops it, which may take a moment for as
 * long as the place is held. When that process is gone, however it went, another goes on within a second or two. Resolves, when this one has been asked once,
 * to what ends its part.
 */
export async function lead(
  name: string,
  begin: () => Promise<(isHeld: IsHeld) => Promise<void>>,
): Promise<() => Promise<void>> {
  let lease: Lease | undefined;
  let stop: ((isHeld: IsHeld) => Promise<void>) | undefined;
  let looking: Promise<void> | undefined;

  const look = async () => {
    if (lease?.isHeld()) return;
    // Its connection was lost: another may be at it already.
    await halt();
    lease = await tryLease(name, 1);
    if (!lease) return;
    try {
      stop = await begin();
    } catch (error) {
      // Who has it and does nothing would be asked no more, and nobody else would begin.
      lease.release();
      lease = undefined;
      throw error;
    }
  };
  const lookAgain = () => {
    looking ??= look()
      .catch((err: unknown) => log.warn({ err, name }, 'who does this could not be asked'))
      .finally(() => {
        looking = undefined;
      });
  };
  await look();
  const timer = setInterval(lookAgain, pace.leadWatchMs).unref();
  return async () => {
    clearInterval(timer);
    await looking;
    await halt();
    lease?.release();
  };

  async function halt(): Promise<void> {
    const stopping = stop;
    stop = undefined;
    await stopping?.(() => lease?.isHeld() === true);
  }
}
