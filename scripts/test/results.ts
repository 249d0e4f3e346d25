import { stripVTControlCharacters } from 'node:util';

export type TestResult = {
  /** `e2e/members/members.spec.ts › promote, undo`: the file, then the names from outer to inner. */
  name: string;
  ms: number;
  /** `flaky`: failed, and passed when it was tried again. */
  outcome: 'passed' | 'failed' | 'flaky';
  /** What it complained about, where it did not pass at once. */
  why?: string;
};

/** What one ring of tests (architecture: "Tests") came to. */
export type RingResult = { ring: string; tests: TestResult[] };

const SLOWEST = 10;
const LAST_LINES = 20;
/** Of what a test complained about: the first lines say it. */
const FIRST_LINES = 12;
const LINE_LENGTH = 300;

/** A run that broke off, or whose end refused it although each test passed, with the last of what it complained about: all that CI shows may be the summary. */
export function brokenRun(complaints: string): TestResult {
  const lines = stripVTControlCharacters(complaints).trim().split('\n').slice(-LAST_LINES);
  return { name: ['the run itself', ...lines].join('\n    '), ms: 0, outcome: 'failed' };
}

/** Ends the run's output: the slowest tests, each ring's time, what failed or was flaky by name, and the sum in the last line. */
export function summarize(rings: RingResult[]): string {
  const tests = rings.flatMap((ring) => ring.tests);
  const named = (outcome: TestResult['outcome']) => tests.filter((test) => test.outcome === outcome);
  const slowest = tests.toSorted((a, b) => b.ms - a.ms).slice(0, SLOWEST);
  const flaky = named('flaky');
  const failed = named('failed');
  return [
    section(
      'Slowest tests',
      slowest.map(({ name, ms }) => `${seconds(ms)}  ${name}`),
    ),
    section(
      'Time in tests, by ring',
      rings.map((ring) => `${seconds(sum(ring.tests))}  ${ring.ring} (${ring.tests.length})`),
    ),
    section('Flaky: mended before anything else is begun', flaky.map(told)),
    section('Failed', failed.map(told)),
    `\n${tests.length - failed.length} passed, ${failed.length} failed${flaky.length > 0 ? `, ${flaky.length} flaky` : ''}`,
  ].join('');
}

/** With the reason, since the summary may be all that is seen of a run. */
function told({ name, why }: TestResult): string {
  const lines = why ? stripVTControlCharacters(why).trim().split('\n').slice(0, FIRST_LINES) : [];
  return [name, ...lines.map((line) => line.slice(0, LINE_LENGTH))].join('\n    ');
}

function section(title: string, lines: string[]): string {
  return lines.length > 0 ? `\n${title}\n${lines.map((line) => `  ${line}\n`).join('')}` : '';
}

function sum(tests: TestResult[]): number {
  return tests.reduce((total, test) => total + test.ms, 0);
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1).padStart(6)} s`;
}
