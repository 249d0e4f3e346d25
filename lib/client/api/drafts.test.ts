import { beforeEach, expect, test, vi } from 'vitest';
import { dropDrafts, dropDraftsOf, holdPage, keepDraft, ownDrafts, readDraft, spendDraft } from './drafts.ts';

const asking = new Set<unknown>();

beforeEach(() => {
  const stored: Record<string, string> = {};
  const storage = {
    getItem: (key: string) => stored[key] ?? null,
    setItem: (key: string, value: string) => {
      stored[key] = value;
    },
    removeItem: (key: string) => {
      delete stored[key];
    },
  };
  vi.stubGlobal(
    'sessionStorage',
    new Proxy(stored, { get: (_, name) => Reflect.get(storage, name) ?? stored[name as string] }),
  );
  vi.stubGlobal('window', {
    addEventListener: (_: string, listener: unknown) => asking.add(listener),
    removeEventListener: (_: string, listener: unknown) => asking.delete(listener),
  });
  dropDrafts();
});

test('what was begun is there again after a reload, and leaving asks until it is done', async () => {
  keepDraft('invite', { firstName: 'Ann' });
  expect(asking.size).toBe(1);
  vi.resetModules();
  const again = await import('./drafts.ts');
  expect(again.readDraft('invite')).toEqual({ firstName: 'Ann' });
  again.keepDraft('invite', undefined);
  expect(again.readDraft('invite')).toBeUndefined();
  keepDraft('invite', undefined);
  expect(asking.size).toBe(0);
});

test('another person finds nothing of it', () => {
  ownDrafts('User/1');
  keepDraft('invite', { firstName: 'Ann' });
  ownDrafts('User/1');
  expect(readDraft('invite')).toEqual({ firstName: 'Ann' });
  ownDrafts('User/2');
  expect(readDraft('invite')).toBeUndefined();
  expect(asking.size).toBe(0);
});

test('what may not be kept asks, too', () => {
  const letGo = holdPage();
  expect(asking.size).toBe(1);
  letGo();
  expect(asking.size).toBe(0);
});

test('what was sent goes, and what was typed while it was on its way stays', () => {
  const sent = { name: 'East' };
  keepDraft('policy', sent);
  spendDraft('policy', sent);
  expect(readDraft('policy')).toBeUndefined();
  keepDraft('policy', sent);
  keepDraft('policy', { name: 'East, ward 2' });
  spendDraft('policy', sent);
  expect(readDraft('policy')).toEqual({ name: 'East, ward 2' });
});

test('with what is gone goes what was begun of it, also before a reload', () => {
  sessionStorage.setItem('gatehouse:draft:bot-hosts:one', '{}');
  keepDraft('bot:one', { files: [] });
  keepDraft('bot:another-one', { files: [] });
  dropDraftsOf('one');
  expect(readDraft('bot:one')).toBeUndefined();
  expect(readDraft('bot-hosts:one')).toBeUndefined();
  expect(readDraft('bot:another-one')).toEqual({ files: [] });
});
