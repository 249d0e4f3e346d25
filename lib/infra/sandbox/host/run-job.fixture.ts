import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { bundleBot } from '../compile/bundle.ts';
import type { RunJob, RunResult } from './run-job.ts';

let versions = 0;
/** Of other files in this process, which may have left bots warm. */
const others = new Set(allRunners());

/** A job that runs this source, as a version of its own. */
export async function jobOf(source: string, changes: Partial<RunJob> = {}): Promise<RunJob> {
  const bundle = await bundleBot('project-1', { source, filename: 'index.ts' });
  if (!bundle.ok) throw new Error(JSON.stringify(bundle.errors));
  versions += 1;
  return {
    projectId: 'project-1',
    versionKey: `version-${versions}`,
    code: bundle.code,
    sourceMap: bundle.sourceMap,
    event: { kind: 'undefined' },
    bot: { reference: 'Bot/1' },
    contentType: 'application/json',
    traceId: 'trace-1',
    secrets: {},
    session: {
      baseUrl: 'http://localhost:3000',
      project: { id: 'project-1', name: 'Project' },
      profile: { resourceType: 'Bot', id: '1', name: 'Bot' },
      membership: { id: 'm-1', admin: false },
    },
    timeoutMs: 5000,
    call: async () => undefined,
    ...changes,
  };
}

/** A handler with this body. */
export function handlerOf(body: string): string {
  return `export async function handler(medplum: any, event: any): Promise<any> {\n${body}\n}`;
}

/** A result with its value as the bot returned it. */
export function readable(result: RunResult) {
  if (!result.ok) return result;
  const { kind, text } = result.value;
  const isText = kind === 'string' || kind === 'hl7' || kind === 'json-string';
  return { ...result, value: { kind, value: isText ? text : text === '' ? undefined : JSON.parse(text) } };
}

/** The processes in which bots run. */
export function runnerPids(): number[] {
  return allRunners().filter((pid) => !others.has(pid));
}

/** Of the machine's memory, in MiB. */
export function residentMb(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;
}

/** Resolves when the processes in which bots run leave the processor alone: what they execute has ended. */
export async function processorIsFree(): Promise<void> {
  let before = Number.NaN;
  while (before !== cpuTicks()) {
    before = cpuTicks();
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html (utime, stime) */
function cpuTicks(): number {
  const ticks = runnerPids().map((pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
    return Number(fields[11]) + Number(fields[12]);
  });
  return ticks.reduce((sum, of) => sum + of, 0);
}

function allRunners(): number[] {
  return execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes('runner/main.ts'))
    .map((line) => Number.parseInt(line, 10));
}
