import type { AnswerCall } from '#lib/infra/sandbox/host/run-job.ts';
import { createLane, type Lane } from './lane.ts';

/** Of one project and level, in one process: bots may ask for thousands of things at once, and the database answers a few at a time. */
const MOST_AT_ONCE = 16;

const lanes = new Map<string, Lane>();

/**
 * Calls of a project's bots go in a lane of their own, in order, so that all of them together are one neighbour to other projects. What
 * has not begun when its run is over is not done.
 */
export function inLane(name: string, call: AnswerCall): AnswerCall {
  return async (method, args, note, signal) => {
    const lane = lanes.get(name) ?? createLane(MOST_AT_ONCE);
    lanes.set(name, lane);
    let leave: (() => void) | undefined;
    try {
      leave = await lane.enter(signal);
      return await call(method, args, note, signal);
    } finally {
      leave?.();
      if (lane.isEmpty() && lanes.get(name) === lane) lanes.delete(name);
    }
  };
}
