import { expect, test } from 'vitest';
import { networkOf } from './network-of.ts';

test('an IPv4 address is itself, and of an IPv6 address only what its holder cannot vary counts', () => {
  expect(networkOf('192.0.2.7')).toBe('192.0.2.7');
  expect(networkOf('')).toBe('');
  const network = '2001:db8:0:7::/64';
  for (const address of [
    '2001:db8:0:7::1',
    '2001:0DB8:0000:0007:ffff:1:2:3',
    '2001:db8:0:7::',
    '2001:db8:0:7::1%eth0',
  ]) {
    expect(networkOf(address)).toBe(network);
  }
  expect(networkOf('2001:db8:0:8::1')).not.toBe(network);
  expect(networkOf('::1')).toBe('0:0:0:0::/64');
});
