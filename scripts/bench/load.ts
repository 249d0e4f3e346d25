import autocannon from 'autocannon';
import { type Job, type Measured, ONCE, type Scenario, UNIQUE } from './scenario.ts';

/** The load generator, a process of its own: gets a job from its parent, sends, answers with what it measured. */
process.on('message', async (job: Job) => process.send?.(await measure(job)));
process.once('disconnect', () => process.exit(0));
process.send?.('ready');

let count = 0;
/** What is left of each scenario's `once`: it is used up over several jobs. */
const rests = new Map<string, string[]>();

async function measure({ url, scenario, connections, seconds }: Job): Promise<Measured> {
  const { method, path, headers, body, redirects = false } = scenario;
  const latencies: number[] = [];
  const rest = scenario.once && restOf(scenario.name, scenario.once);
  const run = autocannon({
    url,
    connections,
    duration: seconds,
    requests: [{ method, path, headers, body, ...varied(scenario, rest), ...(rest && { onResponse: giveBack(rest) }) }],
  });
  run.on('response', (_client, _status, _bytes, ms) => latencies.push(ms));
  const result = await run;
  latencies.sort((a, b) => a - b);
  const at = (share: number) => latencies[Math.floor(latencies.length * share)] ?? 0;
  const well = result[redirects ? '3xx' : '2xx'];
  const failed = result['2xx'] + result.non2xx - well + result.errors + result.timeouts;
  return { perSecond: well / result.duration, p50: at(0.5), p99: at(0.99), failed };
}

function restOf(name: string, once: string[]): string[] {
  const rest = rests.get(name) ?? [...once];
  rests.set(name, rest);
  return rest;
}

/** Nothing is done for a request that is the same every time. */
function varied({ path, body, fromAnywhere, inTurn }: Scenario, rest: string[] | undefined) {
  const isTurning = path.includes(ONCE);
  if (!body?.includes(UNIQUE) && !body?.includes(ONCE) && !isTurning && !fromAnywhere) return {};
  return {
    setupRequest: <R extends { path?: string; body?: string | Buffer; headers?: object }>(request: R): R => {
      count += 1;
      const made = body
        ?.replaceAll(UNIQUE, `${process.pid}-${count}`)
        .replaceAll(ONCE, () => inTurn?.[count % inTurn.length] ?? takeOne(rest));
      const to = isTurning && { path: path.replaceAll(ONCE, inTurn?.[count % inTurn.length] ?? '') };
      const from = { 'x-forwarded-for': `10.${count & 255}.${(count >> 8) & 255}.7` };
      return { ...request, ...to, body: made, ...(fromAnywhere && { headers: { ...request.headers, ...from } }) };
    },
  };
}

function takeOne(rest: string[] | undefined): string {
  const one = rest?.pop();
  if (one === undefined) throw new Error('Too few were made beforehand');
  return one;
}

function giveBack(rest: string[]) {
  return (status: number, body: string): void => {
    if (status === 200) rest.push(JSON.parse(body).refresh_token);
  };
}
