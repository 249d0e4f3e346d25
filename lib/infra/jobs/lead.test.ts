import { afterAll, expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { closeLeases, tryLease } from '../db/single/leases.ts';
import { lead } from './lead.ts';

afterAll(closeLeases);

test('who takes over and cannot begin lets go, and it is begun once that is over', async () => {
  const name = `lead-${newId()}`;
  const before = await tryLease(name, 1);
  const did: string[] = [];
  const stop = await lead(name, async () => {
    if (did.push('begins') < 3) throw new Error('too many connections');
    return async () => void did.push('ends');
  });
  expect(did).toEqual([]);
  before!.release();
  await expect.poll(() => did.length, { timeout: 30_000 }).toBe(3);
  await stop();
  expect(did).toEqual(['begins', 'begins', 'begins', 'ends']);
  const after = await tryLease(name, 1);
  expect(after?.isHeld()).toBe(true);
  after!.release();
});

test('who cannot begin at the start says so, and holds nothing', async () => {
  const name = `lead-${newId()}`;
  await expect(lead(name, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  const lease = await tryLease(name, 1);
  expect(lease?.isHeld()).toBe(true);
  lease!.release();
});
