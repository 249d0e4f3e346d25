import { availableParallelism, totalmem } from 'node:os';
import { type Env, env } from '#lib/base/env.ts';

export type RunnerSizes = {
  /** Processes for bots that are kept, and at most for one project. */
  processes: number;
  /** While so many projects run at once. */
  maxProcesses: number;
  /** What the isolates of one process that wait for another run may have, in MiB. */
  idleMb: number;
};

type Given = Pick<Env, 'SERVER_PROCESSES' | 'BOT_PROCESSES'>;

const FEWEST = 2;
/** However many bots take turns, up to four processes stay below 600 MiB, of which each has so much by itself and with what runs. */
const ALL_MB = 560;
const PROCESS_MB = 118;
/** Below the one a few bots would push each other out; with the other a hundred are warm. */
const [LEAST_IDLE_MB, MOST_IDLE_MB] = [24, 128];
/** What one more project at once may cost. */
const PROJECT_BYTES = 512 * 1024 * 1024;

/**
 * What one server process keeps for bots: one process for each core of the machine, or as many as the setting says, shared out among the server
 * processes. They share what may be warm, too: more of them take more runs at once, and no more memory for it.
 */
export function runnerSizes(
  cores = availableParallelism(),
  memory = totalmem(),
  { SERVER_PROCESSES: servers, BOT_PROCESSES: given }: Given = env(),
): RunnerSizes {
  const processes = Math.max(1, Math.round((given ?? Math.max(FEWEST, cores)) / servers));
  const fitting = Math.min(32, Math.floor(memory / servers / PROJECT_BYTES));
  const idleMb = Math.floor(ALL_MB / (processes * servers)) - PROCESS_MB;
  return {
    processes,
    maxProcesses: Math.max(processes, 4, fitting),
    idleMb: Math.min(MOST_IDLE_MB, Math.max(LEAST_IDLE_MB, idleMb)),
  };
}
