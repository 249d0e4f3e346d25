import { env } from '#lib/base/env.ts';

type Answer = (request: Request) => Promise<Response>;

/** On the global object: Next has a module graph of its own, in which there would be no API, no pools and nothing that listens. */
const PLACE = Symbol.for('gatehouse.own-api');
const shared = globalThis as { [PLACE]?: Answer };

/** From here on pages ask `answer`, which is this process's own. */
export function offerOwnApi(answer: Answer): void {
  shared[PLACE] = answer;
}

/** For who offered it for a while. */
export function withdrawOwnApi(): void {
  shared[PLACE] = undefined;
}

/**
 * What our API answers to a page, as it would to the browser of `caller`, whose headers they are: it is asked in this very process. Under
 * `next dev` nobody offers it, and there is one process, which listens here.
 */
export function askOwnApi(path: string, init: RequestInit, caller: Headers): Promise<Response> {
  const answer = shared[PLACE];
  if (!answer) return fetch(`http://127.0.0.1:${env().PORT}${path}`, { ...init, cache: 'no-store' });
  const headers = new Headers(init.headers);
  for (const name of FROM_CALLER) {
    const value = caller.get(name);
    if (value !== null) headers.set(name, value);
  }
  return answer(new Request(`${env().BASE_URL}${path}`, { ...init, headers }));
}

/** Where they come from, which the fast lane has told (fast-lane.ts), and what the audit log calls their program. */
const FROM_CALLER = ['x-gatehouse-remote', 'user-agent'];
