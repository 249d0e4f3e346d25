import { expect, test } from 'vitest';
import { allowsHost, findBotHostsFault, readBotHosts } from './allowed-hosts.ts';

test.each([
  [['a.example'], 'a.example', true],
  [['a.example'], 'a.example.', true],
  [['a.example'], 'b.a.example', false],
  [['a.example'], 'nota.example', false],
  [['*.a.example'], 'b.a.example', true],
  [['*.a.example'], 'c.b.a.example', true],
  [['*.a.example'], 'a.example', false],
  [['*.a.example'], 'xa.example', false],
  [['none'], 'none', false],
  [undefined, 'any.example', true],
])('%j: %s is let through: %s', (list, host, isAllowed) => {
  expect(allowsHost(list, host)).toBe(isAllowed);
});

test('a project says it for bots that say nothing, in a setting that is refused when it is no list of hosts', () => {
  const setting = (valueString: string) => ({ name: 'botAllowedHosts', valueString });
  expect(readBotHosts([setting('a.example, *.b.example')])).toEqual(['a.example', '*.b.example']);
  expect(findBotHostsFault(setting('a.example *.b.example'))).toBeUndefined();
  expect(findBotHostsFault(setting('none'))).toBeUndefined();
  for (const text of ['https://a.example', 'a.example none', ' '])
    expect(findBotHostsFault(setting(text))).toContain('list');
});
