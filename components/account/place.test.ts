import { expect, test } from 'vitest';
import { toPlace } from './place.ts';

test.each([
  [null, ''],
  ['', ''],
  ['203.0.113.7', '203.0.113.7'],
  ['2001:db8::1', '2001:db8::1'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['10.0.0.4', '10.0.0.4 in a private network'],
  ['172.16.0.1', '172.16.0.1 in a private network'],
  ['172.32.0.1', '172.32.0.1'],
  ['fd12:3456::1', 'fd12:3456::1 in a private network'],
  ['127.0.0.1', 'the machine of the server itself'],
  ['::1', 'the machine of the server itself'],
])('%s is told as “%s”', (address, words) => {
  expect(toPlace(address)).toBe(words);
});
