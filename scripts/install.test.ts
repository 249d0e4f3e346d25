import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { installWhenStale } from './install.mjs';

const NAME = { name: 'fixture', version: '1.0.0' };
let root: string;
const has = (file: string) => existsSync(join(root, 'node_modules', file));
const put = (file: string, text = '') => writeFileSync(join(root, file), text);
const putLock = (packages: object) =>
  put('package-lock.json', JSON.stringify({ ...NAME, lockfileVersion: 3, packages: { '': NAME, ...packages } }));

beforeEach(() => {
  // Its progress is no part of this run's.
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  root = mkdtempSync(join(tmpdir(), 'gatehouse-install-'));
  put('package.json', JSON.stringify(NAME));
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(root, { recursive: true, force: true });
});

// npm leaves out what nothing asks for; a second start that took this for stale pulled node_modules from under a running first.
test('the second run installs nothing, even where the lock names a package that npm leaves out', async () => {
  putLock({ 'node_modules/asked-by-nobody': { version: '1.0.0' } });
  await installWhenStale(root);
  put('node_modules/mark');
  await installWhenStale(root);
  expect(has('mark')).toBe(true);
});

test('another lock, or an installation that was broken off, is installed', async () => {
  putLock({});
  await installWhenStale(root);
  put('node_modules/mark');
  putLock({ 'node_modules/asked-by-nobody': { version: '1.0.0' } });
  await installWhenStale(root);
  expect(has('mark')).toBe(false);

  put('node_modules/mark');
  rmSync(join(root, 'node_modules/.cache'), { recursive: true });
  await installWhenStale(root);
  expect(has('mark')).toBe(false);
});

test('what npm refuses is told', async () => {
  put('package-lock.json', '{');
  await expect(installWhenStale(root)).rejects.toThrow(/^npm ci failed:/);
  expect(has('.cache')).toBe(false);
});
