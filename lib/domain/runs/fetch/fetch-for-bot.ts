import { AppError } from '#lib/base/errors.ts';
import { createLane, type Lane } from '#lib/base/lane.ts';
import { OutsideFailed } from '#lib/infra/net/web/outside-failed.ts';
import { type OutsideAnswer, type OutsideLimits, requestOutside } from '#lib/infra/net/web/request-outside.ts';
import { SANDBOX_LIMITS } from '#lib/infra/sandbox/host/limits.ts';
import type { AnswerCall } from '#lib/infra/sandbox/host/run-job.ts';
import { allowsHost } from '#lib/protocol/bots/allowed-hosts.ts';
import { type FetchRequest, readFetchRequest } from '#lib/protocol/bots/fetch-request.ts';
import { type Answered, toAnswered } from './fetch-answer.ts';

/** Of one run, and of one project in one process: a slow host is no reason for the others to wait. */
const [MOST_OF_RUN, MOST_OF_PROJECT] = [8, 32];
/** Bytes of answers that a project's fetches hold at once in one process. */
const MOST_HELD = 48 * 1024 * 1024;
const TOTAL_MS = 120_000;

type Usage = { lane: Lane; held: number };

const projects = new Map<string, Usage>();

/** Answers `fetch` of one run from the open internet, where this list of hosts lets it, and everything else by `call`. */
export function withFetch(call: AnswerCall, projectId: string, hosts: readonly string[] | undefined): AnswerCall {
  const ofRun = createLane(MOST_OF_RUN);
  return (method, args, note, signal) => {
    if (method !== 'fetch') return call(method, args, note, signal);
    return inTurn(ofRun, projectId, signal, (usage) => fetchOne(args, { hosts, note, signal, usage }));
  };
}

/** A failure is an answer: the bot's `fetch` makes of it what the standard says. */
async function inTurn(
  ofRun: Lane,
  projectId: string,
  signal: AbortSignal,
  work: (usage: Usage) => Promise<Answered>,
): Promise<Answered> {
  const usage = projects.get(projectId) ?? { lane: createLane(MOST_OF_PROJECT), held: 0 };
  projects.set(projectId, usage);
  try {
    return await ofRun(() => usage.lane(() => work(usage), signal), signal);
  } catch (error) {
    if (signal.aborted) return { failed: { code: 'ABORTED', text: 'it was given up' } };
    throw error;
  } finally {
    if (usage.lane.isEmpty() && projects.get(projectId) === usage) projects.delete(projectId);
  }
}

/** Of an address that the bot's list of hosts has not. */
export function hostRefused(hostname: string): OutsideFailed {
  return new OutsideFailed('HOST', `${hostname} is not among the hosts that this bot may call (allowedHost)`);
}

type Terms = { hosts: readonly string[] | undefined; usage: Usage } & Pick<OutsideLimits, 'signal'> & {
    note: Parameters<AnswerCall>[2];
  };

async function fetchOne(args: unknown[], { hosts, note, signal, usage }: Terms): Promise<Answered> {
  const { redirect, ...request } = requireRequest(args);
  let held = 0;
  const asked: string[] = [];
  const allow = (url: URL) => {
    if (!asked.includes(url.host)) asked.push(url.host);
    if (!allowsHost(hosts, url.hostname)) throw hostRefused(url.hostname);
  };
  const hold = (bytes: number) => {
    usage.held += bytes;
    held += bytes;
    if (usage.held > MOST_HELD)
      throw new OutsideFailed(
        'TOO_MUCH',
        'answers to the project’s bots together are larger than 48 MiB at this moment',
      );
  };
  const target = () => `${request.method} ${asked.join(' → ') || request.url.host}`;
  try {
    const limits = { signal, redirect, totalMs: TOTAL_MS, mostBytes: SANDBOX_LIMITS.fetchedBytes, allow, hold };
    const answer: OutsideAnswer = await requestOutside(request, limits);
    note({ target: target(), status: answer.status, bytes: answer.body.length });
    return toAnswered(answer);
  } catch (error) {
    if (!(error instanceof OutsideFailed)) throw error;
    // No status: there was no answer.
    note({ target: target(), status: undefined, bytes: held });
    return { failed: { code: error.code, text: error.message } };
  } finally {
    usage.held -= held;
  }
}

function requireRequest([asked]: unknown[]): FetchRequest {
  const read = readFetchRequest(asked);
  if ('fault' in read) throw new AppError('invalid', `fetch: ${read.fault}`);
  return read;
}
