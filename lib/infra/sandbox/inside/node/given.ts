import type { Extras } from '../extras.ts';
import type { Inspect } from '../inspect/inspect.ts';
import type { Web } from '../web.ts';

/** What this bundle shares with the others: the same classes. */
export type GivenToNode = { extras: Extras; web: Web; process: object; inspect: () => Inspect };

let given: GivenToNode | undefined;

export function setGivenToNode(shared: GivenToNode): void {
  given = shared;
}

export function shared(): GivenToNode {
  if (!given) throw new Error('The bot has not started');
  return given;
}
