import { isConnectionLoss, isSplitMeanwhile, isTooSlow } from '../errors.ts';
import { type Pending, pendingOf } from '../pending.ts';
import { type Home, leaveHome, projectParameter } from './homes.ts';

type Ways = { home: Home; text: string; atHome: () => Pending; byCoordinator: () => Pending };

/**
 * Sent to the node that has its project; by way of the coordinator if that fails and nothing can have been done. Of what reads nothing can,
 * and of what finds its shard gone. The coordinator then says what there is to say, such as that the node is away.
 */
export function askHome({ home, text, atHome, byCoordinator }: Ways): Pending {
  return pendingOf(async (shape) => {
    try {
      return await shape(atHome());
    } catch (error) {
      if (isConnectionLoss(error)) leaveHome(home);
      const onlyReads = projectParameter(text) > 0;
      if (isTooSlow(error) || !(onlyReads || isSplitMeanwhile(error))) throw error;
      return shape(byCoordinator());
    }
  });
}
