import type { Source } from './source.ts';

const TESTS = /\.(test|spec)\.tsx?$|^e2e\//;
/** What a test does instead of waiting for a fact, and why that lies. */
const LIES: readonly [pattern: RegExp, why: string][] = [
  [/\.waitForTimeout\(/, 'waitForTimeout is too short on a busy machine and too long on another'],
  [/['"]networkidle['"]/, 'networkidle is half a second without a request, not a fact: e2e/settled.ts'],
  [/expect\(\s*(?:performance|Date)\.now\(\) - /, 'how long something takes is measured by `npm run bench`'],
];

/** Tests wait for facts: a mark of the page, an answer, a state. */
export function patientTests(sources: readonly Source[]): string[] {
  return sources
    .filter(({ path }) => TESTS.test(path) && !path.startsWith('scripts/house-rules/'))
    .flatMap(({ path, text }) =>
      LIES.filter(([pattern]) => pattern.test(text)).map(([, why]) => `${path} does not wait for a fact: ${why}`),
    );
}
