'use client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { BotAlert, BotAlertRequest } from '#lib/protocol/bots/alert.ts';
import { api } from '../api/api.ts';
import { keys } from '../api/query-keys.ts';

/** When administrators are told of a bot. */
export function useBotAlert(projectId: string, botId: string) {
  return useQuery({
    queryKey: [...keys.bot(projectId, botId), 'alert'],
    queryFn: ({ signal }) => api<BotAlert>(pathOf(projectId, botId), { signal }),
  });
}

export function useSetBotAlert(projectId: string, botId: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (body: BotAlertRequest) => api<BotAlert>(pathOf(projectId, botId), { method: 'PUT', body }),
    onSuccess: (alert) => cache.setQueryData([...keys.bot(projectId, botId), 'alert'], alert),
  });
}

function pathOf(projectId: string, botId: string): string {
  return `/admin/projects/${projectId}/bots/${botId}/alert`;
}
