import { createLanes } from '#lib/base/lane.ts';
import type { AnswerCall } from '#lib/infra/sandbox/host/run-job.ts';

/** Of one project and level, in one process: bots may ask for thousands of things at once, and the database answers a few at a time. */
const MOST_AT_ONCE = 16;

const lanes = createLanes(MOST_AT_ONCE);

/**
 * Calls of a project's bots go in a lane of their own, in order, so that all of them together are one neighbour to other projects. What
 * has not begun when its run is over is not done.
 */
export function inLane(name: string, call: AnswerCall): AnswerCall {
  return (method, args, note, signal) => lanes(name, () => call(method, args, note, signal), signal);
}
