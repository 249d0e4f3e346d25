import { readFileSync } from 'node:fs';
import { childrenOf, commandOf } from '../../faults/site.ts';
import { request } from '../request.ts';
import { type Maker, makeBot } from './scenarios.ts';

export type Warmth = { coldMs: number; coldWithCoreMs: number; mbPerBot: number };

const BOTS = 30;

/** What the first call of a bot takes beside a later one, in the middle; and what each bot that is warm has of memory. */
export async function measureWarmth(maker: Maker, server: number): Promise<Warmth> {
  const plain = await firstCalls(maker, 'export async function handler(medplum, event) { return 1; }', server);
  const core = `import { getReferenceString } from '@medplum/core';
    export async function handler(medplum, event) { return [getReferenceString({ reference: 'Patient/1' })]; }`;
  const withCore = await firstCalls(maker, core, server);
  return { coldMs: plain.ms, coldWithCoreMs: withCore.ms, mbPerBot: plain.mb };
}

async function firstCalls(maker: Maker, code: string, server: number): Promise<{ ms: number; mb: number }> {
  const { base, token } = maker;
  const run = (id: string) => request(base, 'POST', `fhir/R4/Bot/${id}/$execute`, { body: {}, token });
  const ids: string[] = [];
  for (let at = 0; at < BOTS; at += 1) ids.push(await makeBot(maker, `cold-${at}`, `${code}\n// ${at}`));
  await run(ids.pop()!);
  const before = runnersMb(server);
  const colder: number[] = [];
  for (const id of ids) {
    const first = await timed(() => run(id));
    colder.push(first - (await timed(() => run(id))));
  }
  const mb = (runnersMb(server) - before) / ids.length;
  return { ms: colder.toSorted((a, b) => a - b)[ids.length >> 1]!, mb };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function runnersMb(server: number): number {
  const runners = childrenOf(server).filter((pid) => commandOf(pid).includes('runner/main'));
  const kib = (pid: number) => Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  return runners.reduce((sum, pid) => sum + kib(pid), 0) / 1024;
}
