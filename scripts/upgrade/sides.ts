import type { Tally, Version } from './tally.ts';

/** One of the two versions, where it serves. */
export type Side = { version: Version; base: string };

export type Call = {
  body?: unknown;
  form?: Record<string, string>;
  token?: string;
  /** Of the body. */
  type?: string;
  /** What it is to be answered with; any success, if nothing is said. */
  status?: number;
  /** So long it may be answered otherwise: it is asked again. */
  withinMs?: number;
  /** Whether that says what it should. */
  expect?(body: Answer['body']): boolean;
};

/** How a token is answered that ended a moment before, perhaps at the other side. */
export type Ended = Pick<Call, 'status' | 'withinMs'>;

// biome-ignore lint/suspicious/noExplicitAny: answers of many shapes, of which a field or two are read.
export type Answer = { status: number; requestId: string; body: any };

/** Asks, and notes whether it was answered as it should be. */
export type Ask = (
  operation: string,
  side: Side,
  method: string,
  path: string,
  call?: Call,
) => Promise<Answer | undefined>;

const ANSWER_MS = 30_000;

export function askWith(tally: Tally): Ask {
  return async (operation, side, method, path, call = {}) => {
    const asked = `${method} ${path}`;
    const until = performance.now() + (call.withinMs ?? 0);
    try {
      let answer = await send(side, method, path, call);
      while (!isAsAsked(answer, call) && performance.now() < until) answer = await send(side, method, path, call);
      const isRight = isAsAsked(answer, call);
      const told = `${answer.status} to ${asked}: ${JSON.stringify(answer.body).slice(0, 300)}`;
      tally.note(operation, side.version, isRight ? undefined : told);
      return answer;
    } catch (error) {
      tally.note(operation, side.version, `no answer to ${asked}: ${error instanceof Error ? error.message : error}`);
      return undefined;
    }
  };
}

function isAsAsked({ status, body }: Answer, call: Call): boolean {
  const hasStatus = call.status === undefined ? status < 300 : status === call.status;
  return hasStatus && (call.expect?.(body) ?? true);
}

async function send(side: Side, method: string, path: string, call: Call): Promise<Answer> {
  const { body, form, token, type = 'application/json' } = call;
  const response = await fetch(`${side.base}/${path}`, {
    method,
    headers: {
      'content-type': form ? 'application/x-www-form-urlencoded' : type,
      ...(token && { authorization: `Bearer ${token}` }),
    },
    body: form ? new URLSearchParams(form).toString() : body === undefined ? undefined : JSON.stringify(body),
    signal: AbortSignal.timeout(ANSWER_MS),
  });
  const text = await response.text();
  return {
    status: response.status,
    requestId: response.headers.get('x-request-id') ?? '',
    body: text ? JSON.parse(text) : {},
  };
}
