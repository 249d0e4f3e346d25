'use client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { CanaryAnswer } from '#lib/protocol/bots/canary.ts';
import type { BotFile } from '#lib/protocol/bots/files.ts';
import type { Promoted, PromoteRequest, Promotion } from '#lib/protocol/bots/promote.ts';
import type { Checked } from '#lib/protocol/bots/samples.ts';
import { api } from '../api/api.ts';
import { keys } from '../api/query-keys.ts';

export type Program = { code: string; filename: string; files?: BotFile[] };
export type Release = Program & { note?: string; force?: boolean; canary?: number; over?: number };

/** What a deploy of this code would find; it deploys nothing. Compile errors: 400. */
export function useCheck(projectId: string, botId: string) {
  return useMutation({
    mutationFn: (body: Program) =>
      api<Checked>(`/admin/projects/${projectId}/bots/${botId}/check`, { method: 'POST', body }),
  });
}

const canaryKey = (projectId: string, botId: string) => [...keys.bot(projectId, botId), 'canary'];

/** The trial of a version, which ends by itself: looked at again while it runs. */
export function useCanary(projectId: string, botId: string) {
  return useQuery({
    queryKey: canaryKey(projectId, botId),
    queryFn: ({ signal }) => api<CanaryAnswer>(`/admin/projects/${projectId}/bots/${botId}/canary`, { signal }),
    refetchInterval: (query) => (query.state.data?.canary?.state === 'running' ? 10_000 : false),
  });
}

/** Makes the version that is tried live, or takes it back: that alone which was shown. */
export function useEndCanary(projectId: string, botId: string) {
  const cache = useQueryClient();
  const path = `/admin/projects/${projectId}/bots/${botId}/canary`;
  return useMutation({
    mutationFn: ({ how, version }: { how: 'promote' | 'promote all the same' | 'withdraw'; version: number }) =>
      how === 'withdraw'
        ? api(`${path}?version=${version}`, { method: 'DELETE' })
        : api(`${path}/promote`, { method: 'POST', body: { version, force: how === 'promote all the same' } }),
    onSettled: () =>
      Promise.all([
        cache.invalidateQueries({ queryKey: keys.bot(projectId, botId) }),
        cache.invalidateQueries({ queryKey: keys.botList(projectId) }),
      ]),
  });
}

/** What a promotion to that project would do. Not asked again by itself: what it says is no accident that passes. */
export function usePromotion(projectId: string, botId: string, to: { project: string; settings: boolean } | undefined) {
  const query = to && new URLSearchParams({ project: to.project, settings: String(to.settings) });
  return useQuery({
    queryKey: [...keys.bot(projectId, botId), 'promotion', to],
    queryFn: ({ signal }) => api<Promotion>(`/admin/projects/${projectId}/bots/${botId}/promote?${query}`, { signal }),
    enabled: to !== undefined,
    retry: false,
    gcTime: 0,
  });
}

/** What is live goes to the bot of the same identifier in another project of one's own. */
export function usePromote(projectId: string, botId: string) {
  return useMutation({
    mutationFn: (body: Partial<PromoteRequest> & { project: string }) =>
      api<Promoted>(`/admin/projects/${projectId}/bots/${botId}/promote`, { method: 'POST', body }),
  });
}
