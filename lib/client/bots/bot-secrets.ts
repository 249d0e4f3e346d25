'use client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { BotSecretList } from '#lib/protocol/bots/secrets.ts';
import { api } from '../api/api.ts';
import { keys } from '../api/query-keys.ts';

const secretsKey = (projectId: string, botId: string) => [...keys.bot(projectId, botId), 'secrets'];
const pathOf = (projectId: string, botId: string) => `/admin/projects/${projectId}/bots/${botId}/secrets`;

/** What marks of a bot's secret go by. */
export function toBotSecretId(botId: string, name: string): string {
  return `${botId}/secret/${name}`;
}

/** What the bot finds by name: its own secrets, and its project's. */
export function useBotSecrets(projectId: string, botId: string) {
  return useQuery({
    queryKey: secretsKey(projectId, botId),
    queryFn: ({ signal }) => api<BotSecretList>(pathOf(projectId, botId), { signal }),
    // Those of the project are set on another page.
    staleTime: 0,
  });
}

export function usePutBotSecret(projectId: string, botId: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ name, value }: { name: string; value: string }) =>
      api(`${pathOf(projectId, botId)}/${encodeURIComponent(name)}`, { method: 'PUT', body: { valueString: value } }),
    meta: { about: ({ name }: { name: string }) => [toBotSecretId(botId, name)] },
    onSuccess: () => cache.invalidateQueries({ queryKey: secretsKey(projectId, botId) }),
  });
}

export function useDeleteBotSecret(projectId: string, botId: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (name: string) => api(`${pathOf(projectId, botId)}/${encodeURIComponent(name)}`, { method: 'DELETE' }),
    meta: { about: (name: string) => [toBotSecretId(botId, name)] },
    onSettled: () => cache.invalidateQueries({ queryKey: secretsKey(projectId, botId) }),
  });
}
