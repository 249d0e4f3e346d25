import { pace } from '#lib/base/pace.ts';
import { indexParams } from '#lib/domain/store/own-params/index-params.ts';
import { lookAgain } from './look-again.ts';

/**
 * Indexes search parameters that projects have made, when the release before no longer serves, which does not know of them. Returns what
 * stops it.
 */
export function startParams(): () => Promise<void> {
  const from = performance.now() + pace.rollOutMs;
  const look = async (signal: AbortSignal) => {
    if (performance.now() >= from) await indexParams(signal);
  };
  return lookAgain(pace.paramWatchMs, 'search parameters could not be looked for', look);
}
