import { expect, test } from 'vitest';
import { env } from '#lib/base/env.ts';
import { withoutTokens } from './without-tokens.ts';

const part = (content: object) => Buffer.from(JSON.stringify(content)).toString('base64url');
const header = part({ alg: 'ES256', typ: 'JWT' });
const ours = `${header}.${part({ iss: env().BASE_URL })}`;

test.each([
  ['', ''],
  ['Bearer ', ''],
  ['{"token":"', '"}'],
  ['?token=x%20', '&b=1'],
  ['https://a.example/', '/c'],
])('the signature of ours goes: %s…%s', (before, after) => {
  expect(withoutTokens(`${before}${ours}.aGVsbG8${after}`)).toBe(`${before}${ours}.[secret ACCESS_TOKEN]${after}`);
});

test('of others, and what only looks like one, nothing is changed', () => {
  const foreign = `${header}.${part({ iss: 'https://elsewhere.test' })}.aGVsbG8`;
  for (const text of [foreign, 'eyJ.eyJ.x', 'a.eyJhIjoxfQ.b', ours, '']) expect(withoutTokens(text)).toBe(text);
});

test('a text that begins like tokens everywhere is looked through once', () => {
  const text = `${'eyJ'.repeat(660)}.${'eyJ'.repeat(2660)} `.repeat(400) + '.eyJ'.repeat(200_000);
  const from = process.cpuUsage();
  expect(withoutTokens(text)).toBe(text);
  // Of backtracking, it took ten seconds.
  expect(process.cpuUsage(from).user).toBeLessThan(3_000_000);
});
