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

const BODY = { resourceType: 'Patient', firstName: `Sin"éad`, lastName: `O'Neill $HOME` };

test('every sample names the path and the body', () => {
  const samples = toCodeSamples('https://x.example', { path: '/admin/projects/p/client', body: { name: 'Lab' } });
  expect(samples.map(({ label }) => label)).toEqual(['curl', 'SDK', 'CLI', 'JSON']);
  for (const { code } of samples) expect(code).toMatch(/"name":\s*"Lab"/);
});

test('a name with quotes reaches the shell’s command as it is', () => {
  const samples = toCodeSamples('https://x.example', { path: '/admin/projects/p/invite', body: BODY });
  for (const [label, command] of [['curl', 'curl'] as const, ['CLI', 'npx medplum'] as const]) {
    const code = samples.find((sample) => sample.label === label)?.code ?? '';
    const words = execFileSync('sh', ['-c', code.replace(command, 'printf "%s\\0"')], { encoding: 'utf8' }).split('\0');
    expect(words.filter((word) => word.startsWith('{')).map((word) => JSON.parse(word))).toEqual([BODY]);
  }
});

test('a change names the version it stands on; a removal has no body', () => {
  const path = '/admin/projects/p/members/m?force=true';
  const patch = toCodeSamples('https://x.example', {
    method: 'PATCH',
    path,
    body: [{ op: 'add', path: '/admin', value: true }],
    ifMatch: '3',
  });
  expect(patch[0]?.code).toContain(`If-Match: W/"3"`);
  expect(patch[0]?.code).toContain('application/json-patch+json');
  expect(patch[1]?.code).toContain(`'If-Match': 'W/"3"'`);
  const removal = toCodeSamples('https://x.example', { method: 'DELETE', path, ifMatch: '3' });
  expect(removal.map(({ label }) => label)).toEqual(['curl', 'SDK', 'CLI']);
  expect(removal[0]?.code).toContain(`'https://x.example${path}'`);
  expect(removal.map(({ code }) => code).join()).not.toContain('undefined');
});
