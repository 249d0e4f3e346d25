import { closeLeases } from '#lib/infra/db/single/leases.ts';
import type { RunJob, RunResult } from '#lib/infra/sandbox/host/run-job.ts';
import { createSupervisor, type Supervisor } from '#lib/infra/sandbox/host/supervisor.ts';

let supervisor: Supervisor | undefined;

/** This process's runner, started with the first run. */
export function runBot(job: RunJob): Promise<RunResult> {
  supervisor ??= createSupervisor();
  return supervisor.run(job);
}

export async function stopRunner(): Promise<void> {
  const closing = supervisor;
  supervisor = undefined;
  await closing?.close();
  await closeLeases();
}
