import { makeCounter, makeHistogram } from './registry.ts';

const requests = makeHistogram(
  'gatehouse_http_request_duration_seconds',
  'Requests by route, and how long they took. The route is the mounted pattern; "unknown" is every path that leads nowhere.',
  ['method', 'route', 'status'],
  [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
);
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** `route` as the request log says it, so that there are as many series as there are routes, whatever is asked for. */
export function countRequest(method: string, route: string | undefined, status: number, ms: number): void {
  const known = route === undefined || route.includes('[...') ? 'unknown' : route;
  requests.observe({ method: METHODS.has(method) ? method : 'other', route: known, status }, ms / 1000);
}

const signIns = makeCounter(
  'gatehouse_sign_ins_total',
  'Passwords and client secrets that were shown, and what came of it. What was throttled was not looked at.',
  ['by', 'outcome'],
);

/** Passes on what `attempt` says: whether the secret was right, or a refusal. */
export async function countSignIn(by: 'password' | 'client-secret', attempt: Promise<boolean>): Promise<boolean> {
  try {
    const isRight = await attempt;
    signIns.inc({ by, outcome: isRight ? 'succeeded' : 'failed' });
    return isRight;
  } catch (error) {
    signIns.inc({ by, outcome: 'throttled' });
    throw error;
  }
}

const mails = makeCounter(
  'gatehouse_mails_total',
  'Mails that this process tried to send, and what came of each try.',
  ['outcome'],
);

export function countMail(outcome: 'sent' | 'failed' | 'given-up'): void {
  mails.inc({ outcome });
}

const runs = makeCounter('gatehouse_bot_runs_total', 'Runs of bots in this process, by how they ended.', ['outcome']);

export function countRun(outcome: string): void {
  runs.inc({ outcome });
}

const ended = makeCounter('gatehouse_sandbox_processes_ended_total', 'Processes for bots that ended, by why.', ['why']);

/** `killed`: by us, for what ran in it, or by the machine. */
export function countEndedProcess(why: 'worn' | 'killed' | 'crashed'): void {
  ended.inc({ why });
}
