'use client';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { BotList } from '#lib/protocol/bots/bots.ts';
import type { Bot, Identifier, Stored } from '#lib/protocol/fhir/types.ts';
import { api } from '../api/api.ts';
import { ApiError } from '../api/api-error.ts';
import { keys } from '../api/query-keys.ts';

export type NewBot = {
  name: string;
  description?: string;
  identifier?: Identifier[];
  accessPolicy?: { reference: string };
  code?: string;
};

export function useBots(projectId: string) {
  return useQuery({
    queryKey: keys.botList(projectId),
    queryFn: ({ signal }) => api<BotList>(`/admin/projects/${projectId}/bots`, { signal }),
  });
}

export function useBot(projectId: string, botId: string) {
  return useQuery(botQuery(projectId, botId));
}

export function botQuery(projectId: string, botId: string) {
  return queryOptions({
    queryKey: [...keys.bot(projectId, botId), 'resource'],
    queryFn: ({ signal }) => api<Stored<Bot>>(`/fhir/R4/Bot/${botId}`, { signal }),
  });
}

/** A new bot; with `code` it is deployed at once, so that it can run. */
export function useCreateBot(projectId: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async ({ code, ...body }: NewBot) => {
      const bot = await api<Stored<Bot>>(`/admin/projects/${projectId}/bot`, { method: 'POST', body });
      if (code) await startWith(projectId, bot, code);
      return bot;
    },
    onSettled: () => cache.invalidateQueries({ queryKey: keys.bots(projectId) }),
  });
}

/** Its membership is what it runs by. */
export function useSwitchBot(projectId: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ membershipId, on }: { id: string; membershipId: string; on: boolean }) =>
      api(`/admin/projects/${projectId}/members/${membershipId}`, {
        method: 'PATCH',
        contentType: 'application/json-patch+json',
        body: [on ? { op: 'remove', path: '/active' } : { op: 'add', path: '/active', value: false }],
      }),
    meta: { about: ({ id }: { id: string }) => [id] },
    onSettled: () => cache.invalidateQueries({ queryKey: keys.project(projectId) }),
  });
}

export function useDuplicateBot(projectId: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ from, name }: { from: string; name: string }) =>
      api<Stored<Bot>>(`/admin/projects/${projectId}/bots/${from}/duplicate`, { method: 'POST', body: { name } }),
    onSettled: () => cache.invalidateQueries({ queryKey: keys.bots(projectId) }),
  });
}

async function startWith(projectId: string, bot: Stored<Bot>, code: string): Promise<void> {
  const filename = 'index.ts';
  await api(`/admin/projects/${projectId}/bots/${bot.id}/source`, {
    method: 'PUT',
    body: { code, filename },
    ifMatch: bot.meta?.versionId,
  });
  await api(`/fhir/R4/Bot/${bot.id}/$deploy`, { method: 'POST', body: { code, filename } });
}

export type BotDetails = Pick<
  Bot,
  | 'name'
  | 'description'
  | 'identifier'
  | 'category'
  | 'timeout'
  | 'runAsUser'
  | 'auditEventTrigger'
  | 'cronString'
  | 'cronTiming'
  | 'publicWebhook'
  | 'rawBody'
  | 'allowedHost'
  | 'extension'
>;

/** Replaces what `details` names; an absent value is removed. 412 when the bot changed since `bot` was read. */
export function useSaveBot(projectId: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ bot, details }: { bot: Stored<Bot>; details: BotDetails }) =>
      api<Stored<Bot>>(`/fhir/R4/Bot/${bot.id}`, {
        method: 'PUT',
        contentType: 'application/fhir+json',
        body: { ...bot, ...details },
        ifMatch: bot.meta?.versionId,
      }),
    meta: { about: ({ bot }: { bot: Stored<Bot> }) => [bot.id] },
    onSuccess: (bot) => {
      cache.setQueryData([...keys.bot(projectId, bot.id), 'resource'], bot);
      void cache.invalidateQueries({ queryKey: keys.bots(projectId) });
    },
    // Another version is stored than this page knows.
    onError: (error, { bot }) => {
      if (error instanceof ApiError && error.status === 412)
        void cache.invalidateQueries({ queryKey: botQuery(projectId, bot.id).queryKey });
    },
  });
}

/** It and its membership; its versions and runs stay on record. */
export function useDeleteBot(projectId: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (botId: string) => api(`/fhir/R4/Bot/${botId}`, { method: 'DELETE' }),
    meta: { about: (botId: string) => [botId] },
    onSuccess: () => cache.invalidateQueries({ queryKey: keys.botList(projectId) }),
  });
}
