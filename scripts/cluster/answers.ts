import type { Heard } from '../faults/project.ts';

export type Answers = {
  hear(answer: Heard): void;
  /** From now on: whether its node is away, or a server process falls, of which HAProxy may tell. Else all is done that is asked. */
  expect(now: Expected): void;
  done(): number;
  refused(): number;
  slowestMs(): number;
  breaches(): string[];
};
type Expected = 'all' | 'its node away' | 'a server falls';

/** What the callers of one project are told, held against what they may be told at that time. What they ask is always right. */
export function openAnswers(): Answers {
  let expected: Expected = 'all';
  const wrong = new Map<string, number>();
  let [done, refused, slowest] = [0, 0, 0];

  return {
    hear({ asked, status, headers, ms }) {
      slowest = Math.max(slowest, ms);
      const isDone = status >= 200 && status < 300;
      if (isDone) done += 1;
      if (status === 503) refused += 1;
      if (!isDone && !isFair(status, headers)) note(`${status || 'nothing'} to ${asked} while expecting ${expected}`);
    },
    expect(now) {
      expected = now;
    },
    done: () => done,
    refused: () => refused,
    slowestMs: () => Math.round(slowest),
    breaches: () => [...wrong].map(([what, times]) => `answered ${what}, ${times} times`),
  };

  function isFair(status: number, headers: Headers): boolean {
    if (!headers.has('x-request-id')) return expected === 'a server falls';
    return expected === 'its node away' && status === 503 && headers.has('retry-after');
  }

  function note(what: string): void {
    wrong.set(what, (wrong.get(what) ?? 0) + 1);
  }
}
