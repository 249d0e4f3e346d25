import { execFileSync } from 'node:child_process';
import { bundleBot } from './bundle.ts';
import type { RunJob } from './run-job.ts';

let versions = 0;
/** Of other files in this process, which may have left bots warm. */
const others = new Set(allRunners());

/** A job that runs this source, as a version of its own. */
export async function jobOf(source: string, changes: Partial<RunJob> = {}): Promise<RunJob> {
  const bundle = await bundleBot({ source, filename: 'index.ts' });
  if (!bundle.ok) throw new Error(JSON.stringify(bundle.errors));
  versions += 1;
  return {
    versionKey: `version-${versions}`,
    code: bundle.code,
    sourceMap: bundle.sourceMap,
    event: { kind: 'undefined' },
    bot: { reference: 'Bot/1' },
    contentType: 'application/json',
    secrets: {},
    timeoutMs: 5000,
    call: async () => undefined,
    ...changes,
  };
}

/** A handler with this body. */
export function handlerOf(body: string): string {
  return `export async function handler(medplum: any, event: any): Promise<any> {\n${body}\n}`;
}

/** The processes in which bots run. */
export function runnerPids(): number[] {
  return allRunners().filter((pid) => !others.has(pid));
}

function allRunners(): number[] {
  return execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes('runner/main.ts'))
    .map((line) => Number.parseInt(line, 10));
}
