import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toCodeSamples, toShellWord } from './code-samples.ts';

test('whatever was typed is one shell word, unchanged', () => {
  const typed = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0'));
  fc.assert(
    fc.property(typed, (text) => {
      expect(execFileSync('sh', ['-c', `printf %s ${toShellWord(text)}`], { encoding: 'utf8' })).toBe(text);
    }),
    { numRuns: 25 },
  );
});

test('every sample names the path and the body', () => {
  const samples = toCodeSamples({ base: 'https://x.example', path: '/admin/projects/p/client', body: { name: 'Lab' } });
  expect(samples.map(({ label }) => label)).toEqual(['curl', 'SDK', 'CLI', 'JSON']);
  for (const { code } of samples) expect(code).toMatch(/"name":\s*"Lab"/);
});
