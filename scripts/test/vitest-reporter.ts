import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, SerializedError, TestModule } from 'vitest/node';
import type { RingResult, TestResult } from './results.ts';

/** Writes what each ring came to into the file that VITEST_RINGS names, as `RingResult[]`. Vitest's own JSON forgets second tries and rings. */
export default class RingReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    const rings = new Map<string, TestResult[]>();
    for (const module of modules) {
      const tests = rings.get(module.project.name) ?? [];
      rings.set(module.project.name, [...tests, ...resultsOf(module)]);
    }
    const all: RingResult[] = [...rings].map(([ring, tests]) => ({ ring, tests }));
    if (errors.length > 0) all.push({ ring: 'outside of tests', tests: errors.map(resultOf) });
    writeFileSync(process.env.VITEST_RINGS ?? 'vitest-rings.json', JSON.stringify(all));
  }
}

/** An error that belongs to no test, as what a socket throws after its test: named whole, because it can't be run again alone. */
function resultOf({ message, stack, VITEST_TEST_PATH: file, VITEST_TEST_NAME: test }: SerializedError): TestResult {
  const where = [file && relative(process.cwd(), String(file)), test].filter(Boolean).join(' › ');
  return { name: `${where || 'outside of any test'}: ${stack ?? message}`, ms: 0, outcome: 'failed' };
}

function resultsOf(module: TestModule): TestResult[] {
  const file = relative(process.cwd(), module.moduleId);
  const tests = [...module.children.allTests()]
    .filter((test) => test.result().state !== 'skipped')
    .map((test): TestResult => {
      const { duration = 0, flaky = false } = test.diagnostic() ?? {};
      const outcome = test.result().state !== 'passed' ? 'failed' : flaky ? 'flaky' : 'passed';
      const [error] = test.result().errors ?? [];
      const why = error && [error.stack ?? error.message, error.diff].filter(Boolean).join('\n');
      return { name: `${file} › ${test.fullName}`, ms: duration, outcome, ...(why && { why }) };
    });
  // A file that does not load, or a hook that fails, has no failed test of its own.
  const broken = !module.ok() && tests.every(({ outcome }) => outcome !== 'failed');
  const why = module.errors().map(({ stack, message }) => stack ?? message);
  return broken ? [...tests, { name: file, ms: 0, outcome: 'failed', why: why.join('\n') }] : tests;
}
