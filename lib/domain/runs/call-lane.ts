import type { RunJob } from '#lib/infra/sandbox/host/run-job.ts';

/** Of one project and level, in one process: bots may ask for thousands of things at once, and the database answers a few at a time. */
const MOST_AT_ONCE = 16;

type Lane = { atWork: number; waiting: (() => void)[] };

const lanes = new Map<string, Lane>();

/** Calls of a project's bots go in a lane of their own, in order, so that all of them together are one neighbour to other projects. */
export function inLane(name: string, call: RunJob['call']): RunJob['call'] {
  return async (...asked) => {
    const lane = lanes.get(name) ?? { atWork: 0, waiting: [] };
    lanes.set(name, lane);
    if (lane.atWork < MOST_AT_ONCE) lane.atWork += 1;
    else await new Promise<void>((turn) => lane.waiting.push(turn));
    try {
      return await call(...asked);
    } finally {
      leave(name, lane);
    }
  };
}

/** Who leaves hands the place on. */
function leave(name: string, lane: Lane): void {
  const next = lane.waiting.shift();
  if (next) next();
  else lane.atWork -= 1;
  if (lane.atWork === 0) lanes.delete(name);
}
