import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { toInviteSamples } from './invite-samples.ts';

test('a name with quotes reaches the shell’s command as it is', () => {
  const input = {
    resourceType: 'Patient',
    firstName: `Sin"éad`,
    lastName: `O'Neill $HOME`,
    email: 'a@b.example',
  } as const;
  const curl = toInviteSamples('https://x.example', 'p', input).find(({ label }) => label === 'curl')?.code ?? '';
  const shown = execFileSync('sh', ['-c', curl.replace('curl', 'printf "%s\\n"')], { encoding: 'utf8' });
  expect(JSON.parse(shown.trim().split('\n').at(-1) ?? '')).toEqual(input);
});
