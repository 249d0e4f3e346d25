'use client';
import {
  keepPreviousData,
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { BotRunDetail, BotRunPage, ProjectRunPage, RunningRuns } from '#lib/protocol/bots/runs/bot-runs.ts';
import { api } from '../api/api.ts';
import { ApiError } from '../api/api-error.ts';
import { keys } from '../api/query-keys.ts';
import { type RunSearch, toRunFilter } from './run-search.ts';

const PAGE = 25;

/**
 * Newest first, a page at a time. `text` is what an input holds; it may be somebody's name, so it goes in a body and stands in no address. A page may have
 * few rows or none, and be followed by more: `lookedTo` says how far back it went.
 */
export function useProjectRuns(projectId: string, search: RunSearch, text: string) {
  return useInfiniteQuery({
    queryKey: runListKey(projectId, search, text),
    queryFn: ({ pageParam: cursor, signal }) => {
      const filter = { ...toRunFilter(search, Date.now()), ...(cursor && { cursor }) };
      const path = `/admin/projects/${projectId}/runs`;
      if (!text)
        return api<ProjectRunPage>(`${path}?${new URLSearchParams({ ...filter, _count: String(PAGE) })}`, { signal });
      return api<ProjectRunPage>(`${path}/search`, { method: 'POST', body: { ...filter, text, _count: PAGE }, signal });
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.next ?? undefined,
    placeholderData: keepPreviousData,
    // What was looked for is gone with the page.
    ...(text && { gcTime: 0 }),
  });
}

export function runListKey(projectId: string, search: RunSearch, text: string) {
  return [...keys.runs(projectId), 'list', search, text];
}

/** Those that go on, asked for again and again while the page is looked at. */
export function useRunningRuns(projectId: string) {
  return useQuery({
    queryKey: [...keys.runs(projectId), 'running'],
    queryFn: ({ signal }) => api<RunningRuns>(`/admin/projects/${projectId}/runs/running`, { signal }),
    refetchInterval: 5000,
  });
}

/** It has ended a moment later, and fails with that. One that has ended already is no failure. */
export function useStopRun(projectId: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async (runningId: string) => {
      try {
        await api(`/admin/projects/${projectId}/runs/running/${runningId}`, { method: 'DELETE' });
      } catch (error) {
        if (!(error instanceof ApiError) || error.status !== 404) throw error;
      }
    },
    onSettled: () => cache.invalidateQueries({ queryKey: [...keys.runs(projectId), 'running'] }),
    // It is on record a moment after it has ended.
    onSuccess: () =>
      void setTimeout(
        () => void cache.invalidateQueries({ queryKey: keys.runs(projectId), predicate: isOfMany }),
        2000,
      ),
  });
}

/** Lists and what runs: one that is open stays as it was read. */
function isOfMany({ queryKey }: { queryKey: readonly unknown[] }): boolean {
  return queryKey.includes('list') || queryKey.includes('running');
}

/** One run, without what identifies somebody. */
export function useRun(projectId: string, runId: string) {
  return useQuery(runQuery(projectId, runId));
}

export function runQuery(projectId: string, runId: string) {
  return queryOptions({
    queryKey: [...keys.runs(projectId), 'one', runId],
    queryFn: ({ signal }) => api<BotRunDetail>(`/admin/projects/${projectId}/runs/${runId}`, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/**
 * The record of the run that a request made, with its logs. Records are written in batches a moment after the answer, so it is
 * looked for a few times; undefined when it does not show up.
 */
export async function findRunOf(
  projectId: string,
  botId: string,
  requestId: string,
): Promise<BotRunDetail | undefined> {
  const base = `/admin/projects/${projectId}/bots/${botId}/runs`;
  for (const pauseMs of [120, 300, 700, 1500]) {
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    const { rows } = await api<BotRunPage>(`${base}?_count=1&requestId=${encodeURIComponent(requestId)}`);
    const [found] = rows;
    if (found) return api<BotRunDetail>(`${base}/${found.id}`);
  }
  return undefined;
}
