import type { Extras } from '../extras.ts';

/** What this bundle must share with the one that the bot began in (extras.ts says why): the same classes, the same calls. */
export type Given = {
  call: (method: string, args: unknown[], begun?: (callId: number) => void) => Promise<unknown>;
  extras: Extras;
};

let given: Given | undefined;

export function setGiven(shared: Given): void {
  given = shared;
}

export function shared(): Given {
  if (!given) throw new Error('The bot has not started');
  return given;
}
