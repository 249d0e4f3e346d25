import { afterEach, expect, it } from 'vitest';
import { handlerOf, jobOf, residentMb, runnerPids } from './run-job.fixture.ts';
import type { RunJob } from './run-job.ts';
import { runnerSizes } from './runner-sizes.ts';
import { createSupervisor, type Supervisor } from './supervisor.ts';

const open: Supervisor[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((supervisor) => supervisor.close()));
});

const BOTS = 200;
const MOST_MB = 600;

/** A bot of some length that makes some garbage, as one that reads a message and writes a Bundle does. */
const sourceOf = (n: number) =>
  `const table = ${JSON.stringify(Array.from({ length: 2000 }, (_, at) => `${n}-${at}-code`))};
  ${handlerOf(`let made = []; for (let i = 0; i < 20_000; i += 1) made.push({ code: table[i % 2000], at: i });
  return made.length + ${n}`)}`;

it.each([2, 4])(
  '200 bots that are called in turn on %i cores have less than 600 MiB, and each its own answer',
  async (cores) => {
    const { processes, idleMb } = runnerSizes(cores, 2 ** 33, { SERVER_PROCESSES: 1 });
    const supervisor = createSupervisor({ processes, idleMb });
    open.push(supervisor);
    const jobs: RunJob[] = [];
    // So many sources of a project wait to be compiled at most (compilers.ts).
    for (let from = 0; from < BOTS; from += 50)
      jobs.push(...(await Promise.all(Array.from({ length: 50 }, (_, n) => jobOf(sourceOf(from + n))))));
    for (let round = 0; round < 3; round += 1) {
      for (let from = 0; from < BOTS; from += 8) {
        const results = await Promise.all(jobs.slice(from, from + 8).map((job) => supervisor.run(job)));
        expect(results.map((result) => result.ok && result.value.text)).toEqual(
          results.map((_, at) => String(20_000 + from + at)),
        );
      }
      const mb = runnerPids().reduce((sum, pid) => sum + residentMb(pid), 0);
      expect(mb).toBeGreaterThan(0);
      expect(mb).toBeLessThan(MOST_MB);
    }
    expect(runnerPids()).toHaveLength(cores);
  },
  120_000,
);
