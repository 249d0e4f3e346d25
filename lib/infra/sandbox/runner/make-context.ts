import { haveFeatures } from './features.ts';
import type { Made, Slot } from './slot.ts';
import { measureHeap } from './usage.ts';

/** A bot that is called again within so long is called often: the next context is there before the next call. */
const OFTEN_MS = 1000;

function makeContext(slot: Slot): Made {
  haveFeatures(slot.hasFeatures);
  const context = slot.isolate.createContextSync();
  const prelude = slot.prelude.runSync(context, { reference: true });
  return { context, prelude, bot: slot.bot.runSync(context, { reference: true }) };
}

/** That of the last call, if it was made ahead, and only once. */
export function takeContext(slot: Slot): Made {
  const { ahead } = slot;
  slot.ahead = undefined;
  return ahead ?? makeContext(slot);
}

/** While nobody is in the isolate, and nobody waits for this process. */
export function makeAhead(slot: Slot): void {
  const isOften = performance.now() - slot.takenBefore < OFTEN_MS;
  // What comes close to its limit may end the process.
  const isRoomy = slot.size < (slot.memoryMb * 1024 * 1024) / 2;
  if (!slot.isIdle || !isOften || !isRoomy || slot.ahead || slot.isolate.isDisposed) return;
  try {
    slot.ahead = makeContext(slot);
    slot.size = measureHeap(slot.isolate).size;
  } catch {
    // It has no room for one: who calls next is told.
  }
}
