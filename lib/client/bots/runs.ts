'use client';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { BotRunDetail, BotRunPage } from '#lib/protocol/bots/bot-runs.ts';
import type { RunState } from '#lib/protocol/bots/bots.ts';
import { api } from '../api/api.ts';
import { keys } from '../api/query-keys.ts';

const PAGE = 25;

/** Newest first, a page at a time. */
export function useRuns(projectId: string, botId: string, status: RunState | 'any') {
  const path = `/admin/projects/${projectId}/bots/${botId}/runs?_count=${PAGE}${status === 'any' ? '' : `&status=${status}`}`;
  return useInfiniteQuery({
    queryKey: [...keys.bot(projectId, botId), 'runs', status],
    queryFn: ({ pageParam, signal }) =>
      api<BotRunPage>(`${path}${pageParam ? `&cursor=${encodeURIComponent(pageParam)}` : ''}`, { signal }),
    initialPageParam: '',
    getNextPageParam: (page) => page.next ?? undefined,
  });
}

export function useRun(projectId: string, botId: string, runId: string | undefined) {
  return useQuery({
    queryKey: [...keys.bot(projectId, botId), 'run', runId],
    queryFn: ({ signal }) => api<BotRunDetail>(`/admin/projects/${projectId}/bots/${botId}/runs/${runId}`, { signal }),
    enabled: runId !== undefined,
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
    const { rows } = await api<BotRunPage>(`${base}?_count=5`);
    const found = rows.find((run) => run.requestId === requestId);
    if (found) return api<BotRunDetail>(`${base}/${found.id}`);
  }
  return undefined;
}
