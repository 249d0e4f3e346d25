'use client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { BotRunDetail, Replayed } from '#lib/protocol/bots/bot-runs.ts';
import type { ReplayRunRequest, RevealRunRequest } from '#lib/protocol/bots/run-requests.ts';
import { api } from '../api/api.ts';
import { ApiError } from '../api/api-error.ts';
import { newKey } from '../api/new-key.ts';
import { keys } from '../api/query-keys.ts';
import { runQuery } from './runs.ts';

/** One run as it was. Each time is audited with its reason; nothing of the answer outlives who asked for it. */
export function useRevealRun(projectId: string, runId: string) {
  return useMutation({
    mutationFn: (body: RevealRunRequest) =>
      api<BotRunDetail>(`/admin/projects/${projectId}/runs/${runId}/reveal`, { method: 'POST', body }),
    gcTime: 0,
  });
}

/** A run of the same input, for real; answered when it has ended. */
export function useReplayRun(projectId: string, { id, bot }: BotRunDetail) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async (version: ReplayRunRequest['version']) => {
      const path = `/admin/projects/${projectId}/runs/${id}/replay`;
      const headers = { 'Idempotency-Key': newKey() };
      const replayed = await api<Replayed>(path, { method: 'POST', body: { version }, headers });
      // Records are written in batches, a moment after the answer.
      for (const pauseMs of [120, 300, 700, 1500]) {
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
        if (await cache.fetchQuery(runQuery(projectId, replayed.run)).catch(undefinedWhereAbsent)) break;
      }
      return replayed;
    },
    onSuccess: () =>
      Promise.all([
        cache.invalidateQueries({ queryKey: [...keys.runs(projectId), 'list'] }),
        cache.invalidateQueries({ queryKey: [...keys.bot(projectId, bot.id), 'runs'] }),
        cache.invalidateQueries({ queryKey: keys.botList(projectId) }),
      ]),
  });
}

function undefinedWhereAbsent(error: unknown): undefined {
  if (error instanceof ApiError && error.status === 404) return undefined;
  throw error;
}
