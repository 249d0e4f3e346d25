import type { Source } from './source.ts';

const TESTS = /\.(test|spec)\.tsx?$|^e2e\//;
/** What a test does instead of waiting for a fact, and why that lies. */
const LIES: readonly [lies: (text: string) => boolean, why: string][] = [
  [has(/\.waitForTimeout\(/), 'waitForTimeout is too short on a busy machine and too long on another'],
  [has(/['"]networkidle['"]/), 'networkidle is half a second without a request, not a fact: e2e/settled.ts'],
  [has(/expect\(\s*(?:performance|Date)\.now\(\) - /), 'how long something takes is measured by `npm run bench`'],
  [isHurried, '`vi.waitFor` and `vi.waitUntil` give up after a second: expect.poll, or name a timeout'],
];

function has(pattern: RegExp): (text: string) => boolean {
  return (text) => pattern.test(text);
}

/** A second is all that `vi.waitFor` and `vi.waitUntil` give where nothing is said. */
function isHurried(text: string): boolean {
  const code = text.replaceAll(/'[^'\n]*'|"[^"\n]*"|`[^`]*`/g, "''");
  return Array.from(code.matchAll(/vi\.wait(?:For|Until)(?:<[^(]*>)?\(/g), ({ index, 0: call }) =>
    argumentsAt(code, index + call.length),
  ).some((count) => count < 2);
}

/** How many there are, from behind the opening bracket. */
function argumentsAt(text: string, start: number): number {
  let [depth, count] = [0, 1];
  for (let at = start; depth >= 0 && at < text.length; at++) {
    if ('([{'.includes(text[at]!)) depth++;
    else if (')]}'.includes(text[at]!)) depth--;
    else if (depth === 0 && text[at] === ',' && !/^,\s*\)/.test(text.slice(at, at + 200))) count++;
  }
  return count;
}

/** Tests wait for facts: a mark of the page, an answer, a state. */
export function patientTests(sources: readonly Source[]): string[] {
  return sources
    .filter(({ path }) => TESTS.test(path) && !path.startsWith('scripts/house-rules/'))
    .flatMap(({ path, text }) =>
      LIES.filter(([lies]) => lies(text)).map(([, why]) => `${path} does not wait for a fact: ${why}`),
    );
}
