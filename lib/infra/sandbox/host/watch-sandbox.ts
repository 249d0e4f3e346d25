import { makeGauge } from '../../metrics/registry.ts';
import type { RunnerProcess } from './runner-process.ts';

/** What a supervisor has at the moment. */
export type Watched = { runners: () => Iterable<RunnerProcess>; waiting: () => number };

const watched = new Set<Watched>();

export function watchSandbox(sandbox: Watched): void {
  watched.add(sandbox);
}

export function unwatchSandbox(sandbox: Watched): void {
  watched.delete(sandbox);
}

const runners = () => [...watched].flatMap((sandbox) => [...sandbox.runners()]);
const sum = (numbers: number[]) => numbers.reduce((a, b) => a + b, 0);

makeGauge('gatehouse_sandbox_processes', 'Processes for bots.', [], () => [{ value: runners().length }]);
makeGauge(
  'gatehouse_sandbox_isolates',
  'Isolates in them, at work or warm, as of the last run that ended there.',
  [],
  () => [{ value: sum(runners().map(({ isolates }) => isolates)) }],
);
makeGauge('gatehouse_sandbox_memory_bytes', 'What the processes for bots have of the machine’s memory.', [], () => [
  { value: sum(runners().map((runner) => runner.residentMb())) * 2 ** 20 },
]);
makeGauge('gatehouse_bot_runs_in_flight', 'Runs of bots that are in a process.', [], () => [
  { value: sum(runners().map(({ running }) => running.size)) },
]);
makeGauge('gatehouse_bot_runs_unplaced', 'Runs of bots that wait for a process.', [], () => [
  { value: sum([...watched].map((sandbox) => sandbox.waiting())) },
]);
