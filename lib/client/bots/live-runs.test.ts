import { type InfiniteData, QueryClient } from '@tanstack/react-query';
import { describe, expect, test } from 'vitest';
import type { ProjectRun, ProjectRunPage } from '#lib/protocol/bots/runs/bot-runs.ts';
import { showFresh } from './live-runs.ts';

const KEY = ['runs', 'list'];

function run(id: string): ProjectRun {
  return { id } as ProjectRun;
}

function list(...ids: string[]): InfiniteData<ProjectRunPage> {
  return { pages: [{ rows: ids.map(run) } as ProjectRunPage], pageParams: [''] };
}

function shownBy(cache: QueryClient): string[] | undefined {
  return cache.getQueryData<InfiniteData<ProjectRunPage>>(KEY)?.pages.flatMap(({ rows }) => rows.map(({ id }) => id));
}

describe('new runs', () => {
  test('stand before those of the list, and once', () => {
    const cache = new QueryClient();
    cache.setQueryData(KEY, list('b', 'a'));
    expect(showFresh(cache, KEY, [run('c'), run('b')])).toBe(true);
    expect(shownBy(cache)).toEqual(['c', 'b', 'a']);
  });

  test('wait for the first page', () => {
    const cache = new QueryClient();
    expect(showFresh(cache, KEY, [run('c')])).toBe(false);
    expect(shownBy(cache)).toBeUndefined();
  });

  test('wait while the list is read, which would write over them', async () => {
    const cache = new QueryClient();
    cache.setQueryData(KEY, list('a'));
    const { promise, resolve } = Promise.withResolvers<InfiniteData<ProjectRunPage>>();
    const reading = cache.fetchQuery({ queryKey: KEY, queryFn: () => promise });
    expect(showFresh(cache, KEY, [run('c')])).toBe(false);
    resolve(list('b', 'a'));
    await reading;
    expect(showFresh(cache, KEY, [run('c')])).toBe(true);
    expect(shownBy(cache)).toEqual(['c', 'b', 'a']);
  });

  test('that are many have the list read anew, from its first page', () => {
    const cache = new QueryClient();
    cache.setQueryData(KEY, { pages: [...list('b').pages, ...list('a').pages], pageParams: ['', 'x'] });
    const many = Array.from({ length: 200 }, (_, at) => run(`${at}`));
    expect(showFresh(cache, KEY, many)).toBe(true);
    expect([shownBy(cache), cache.getQueryState(KEY)?.isInvalidated]).toEqual([['b'], true]);
  });
});
