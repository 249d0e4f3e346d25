import { expect, test } from 'vitest';
import { findBoundsFault, readBounds } from './bounds.ts';

test('bounds are read as they are said, and what is none says nothing', () => {
  const said = [
    { name: 'accessTokenLifetime', valueString: '5m' },
    { name: 'refreshTokenLifetime', valueString: '1d' },
    { name: 'sessionIdleLimit', valueString: '30m' },
    { name: 'sessionLifetime', valueString: '8h' },
    { name: 'allowedAddresses', valueString: '203.0.113.0/24, 2001:db8::/32\n198.51.100.7' },
  ];
  expect(readBounds(said)).toEqual({
    accessSeconds: 300,
    refreshSeconds: 86_400,
    idleSeconds: 1800,
    sessionSeconds: 28_800,
    addresses: ['203.0.113.0/24', '2001:db8::/32', '198.51.100.7'],
  });
  expect(readBounds([{ name: 'accessTokenLifetime', valueString: '1s' }])).toEqual({});
});

test('each fault is told', () => {
  const fault = (name: string, valueString?: string) => findBoundsFault({ name, valueString });
  for (const text of ['', 'soon', '5', '-5m', '5M', '123456m'])
    expect(fault('accessTokenLifetime', text)).toContain('number');
  expect(fault('accessTokenLifetime', '59s')).toBe('this setting is 1m at least');
  expect(fault('sessionIdleLimit', '4m')).toBe('this setting is 5m at least');
  expect(fault('sessionLifetime', '299s')).toBe('this setting is 5m at least');
  expect(fault('refreshTokenLifetime', '5m')).toBeUndefined();
  for (const text of ['', ' , ', 'example.com', '203.0.113.0/33', '2001:db8::/129', '1.2.3', '::1%eth0', '1.2.3.4,x'])
    expect(fault('allowedAddresses', text)).toContain('addresses or networks');
  expect(fault('allowedAddresses', Array(201).fill('1.2.3.4').join(','))).toContain('at most 200');
  expect(fault('allowedAddresses', '::1 127.0.0.0/8')).toBeUndefined();
  expect(fault('toString')).toBeUndefined();
});
