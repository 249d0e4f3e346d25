import type ivm from 'isolated-vm';
import type { StackMap } from './map-stack.ts';

/**
 * One isolate with a version's compiled scripts. It serves one run at a time: memory is counted, and a timeout is carried
 * out, per isolate, so sharing one would let a run take its neighbours down.
 */
export type Slot = {
  versionKey: string;
  memoryMb: number;
  isolate: ivm.Isolate;
  /** Its value in a new context is the prelude's `enter`, which is no global any more then. */
  prelude: ivm.Script;
  bot: ivm.Script;
  /** The script of `@medplum/core`, for a bot that has it not in its snapshot. */
  core: string;
  stackMap: StackMap;
  /** Whether its contexts have all that V8 offers (features.ts). */
  hasFeatures: boolean;
  /** Nobody runs in it. */
  isIdle: boolean;
  /** When it was last taken, and the time before that (performance.now). */
  takenAt: number;
  takenBefore: number;
  /** The context of the next run. */
  ahead: Made | undefined;
  onLost: () => void;
  /** What it had of memory when its last run ended, in bytes (usage.ts). */
  size: number;
};

/** A context in which nothing of a bot has run, with the ways into it. */
export type Made = {
  context: ivm.Context;
  prelude: ivm.Reference;
  bot: ivm.Reference;
};
