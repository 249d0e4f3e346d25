import autocannon from 'autocannon';
import { type Job, type Measured, UNIQUE } from './scenario.ts';

/** The load generator, a process of its own: gets a job from its parent, sends, answers with what it measured. */
process.on('message', async (job: Job) => process.send?.(await measure(job)));
process.once('disconnect', () => process.exit(0));
process.send?.('ready');

let count = 0;

async function measure({ url, scenario, connections, seconds }: Job): Promise<Measured> {
  const { method, path, headers, body } = scenario;
  const latencies: number[] = [];
  const run = autocannon({
    url,
    connections,
    duration: seconds,
    requests: [{ method, path, headers, body, ...(body?.includes(UNIQUE) && { setupRequest: makeUnique(body) }) }],
  });
  run.on('response', (_client, _status, _bytes, ms) => latencies.push(ms));
  const result = await run;
  latencies.sort((a, b) => a - b);
  const at = (share: number) => latencies[Math.floor(latencies.length * share)] ?? 0;
  const failed = result.non2xx + result.errors + result.timeouts;
  return { perSecond: result['2xx'] / result.duration, p50: at(0.5), p99: at(0.99), failed };
}

function makeUnique(body: string) {
  return <R extends { body?: string | Buffer }>(request: R): R => {
    count += 1;
    return { ...request, body: body.replaceAll(UNIQUE, `${process.pid}-${count}`) };
  };
}
