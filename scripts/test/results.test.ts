import { expect, test } from 'vitest';
import { brokenRun, type RingResult, summarize } from './results.ts';

const RINGS: RingResult[] = [
  { ring: 'checks', tests: [{ name: 'Types', ms: 9000, outcome: 'passed' }] },
  {
    ring: 'unit',
    tests: [
      ...Array.from({ length: 12 }, (_, at) => ({
        name: `a.test.ts › ${at}`,
        ms: at * 100,
        outcome: 'passed' as const,
      })),
      { name: 'b.test.ts › once more', ms: 20, outcome: 'flaky' },
      { name: 'b.test.ts › never', ms: 30, outcome: 'failed', why: `\u001b[31mexpected 1\u001b[39m\nto be 2` },
    ],
  },
];

test('the summary names the ten slowest, the time of each ring, and what was flaky or failed', () => {
  const lines = summarize(RINGS).split('\n');
  const from = (title: string) => lines.slice(lines.findIndex((line) => line.startsWith(title)) + 1);
  expect(from('Slowest tests').slice(0, 11)).toEqual([
    '     9.0 s  Types',
    ...[11, 10, 9, 8, 7, 6, 5, 4, 3].map((at) => `${(at / 10).toFixed(1).padStart(8)} s  a.test.ts › ${at}`),
    '',
  ]);
  expect(from('Time in tests').slice(0, 2)).toEqual(['     9.0 s  checks (1)', '     6.7 s  unit (14)']);
  expect(from('Flaky')[0]).toBe('  b.test.ts › once more');
  expect(from('Failed').slice(0, 3)).toEqual(['  b.test.ts › never', '    expected 1', '    to be 2']);
});

test('the last line is the sum; what passed at its second try has passed', () => {
  expect(summarize(RINGS).split('\n').at(-1)).toBe('14 passed, 1 failed, 1 flaky');
  expect(summarize(RINGS.slice(0, 1)).split('\n').at(-1)).toBe('1 passed, 0 failed');
});

test('a run that is refused at its end says in the summary what it complained about', () => {
  const complaints = [
    ...Array.from({ length: 30 }, (_, at) => `line ${at}`),
    '\u001b[31mtoo many SQL texts\u001b[39m',
    '',
  ];
  const lines = summarize([{ ring: 'vitest', tests: [brokenRun(complaints.join('\n'))] }]).split('\n');
  const from = lines.indexOf('  the run itself');
  expect(lines.slice(from + 1, from + 21)).toEqual([
    ...Array.from({ length: 19 }, (_, at) => `    line ${at + 11}`),
    '    too many SQL texts',
  ]);
});
