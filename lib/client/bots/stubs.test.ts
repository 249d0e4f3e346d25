import { expect, test } from 'vitest';
import { readStubs } from './stubs.ts';

test('nothing typed is no stubs, and what is whole is taken as the API takes it', () => {
  expect(readStubs('  ')).toEqual({});
  expect(readStubs('{"fetch": [{"url": "https://api.example.com/*", "body": "{}"}], "mail": true}')).toEqual({
    stubs: { fetch: [{ url: 'https://api.example.com/*', status: 200, body: '{}' }], mail: true },
  });
});

test.each([
  ['{"fetch": [', 'This is not JSON yet'],
  ['{"fetch": [{"url": "ftp://x"}]}', 'fetch.0.url: url must begin with https://'],
  ['{"fetch": [{"url": "https://x", "status": 99}]}', 'fetch.0.status: '],
  ['{"other": 1}', 'Unrecognized key'],
])('what is wrong is named by its place: %s', (text, fault) => {
  expect(readStubs(text).fault).toContain(fault);
});
