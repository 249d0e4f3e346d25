'use client';
import { type QueryClient, queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { BotSource } from '#lib/protocol/bots/bot-source.ts';
import type { BotVersion, BotVersions, VersionSource } from '#lib/protocol/bots/bot-versions.ts';
import { api } from '../api/api.ts';
import { ApiError } from '../api/api-error.ts';
import { keys } from '../api/query-keys.ts';
import type { Release } from './release.ts';

function pathOf(projectId: string, botId: string): string {
  return `/admin/projects/${projectId}/bots/${botId}`;
}

const sourceKey = (projectId: string, botId: string) => [...keys.bot(projectId, botId), 'source'];

export function useBotSource(projectId: string, botId: string) {
  return useQuery({
    queryKey: sourceKey(projectId, botId),
    queryFn: ({ signal }) => readSource(projectId, botId, signal),
    // The editor holds the text: a refetch in the background must not look like someone else's change.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnMount: 'always',
  });
}

export async function readSource(projectId: string, botId: string, signal?: AbortSignal): Promise<BotSource> {
  return api<BotSource>(`${pathOf(projectId, botId)}/source`, { signal });
}

/** Keeps the draft; deploys nothing. 412 when someone else saved since `version`. */
export function useSaveSource(projectId: string, botId: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async ({ code, filename, files, version }: Omit<BotSource, 'from'>): Promise<BotSource> => {
      const saved = await api<Pick<BotSource, 'version'>>(`${pathOf(projectId, botId)}/source`, {
        method: 'PUT',
        body: { code, filename, ...(files && { files }) },
        ifMatch: String(version),
      });
      return { filename, from: null, ...saved, code, ...(files && { files }) };
    },
    onSuccess: (saved) => {
      cache.setQueryData(sourceKey(projectId, botId), saved);
      void cache.invalidateQueries({ queryKey: keys.botList(projectId) });
      void cache.invalidateQueries({ queryKey: [...keys.bot(projectId, botId), 'resource'] });
    },
  });
}

/** Compiles and makes this code the live version. Compile errors: 400, see `toCompileErrors`. */
export function useDeploy(projectId: string, botId: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (body: Release) => api(`/fhir/R4/Bot/${botId}/$deploy`, { method: 'POST', body }),
    onSuccess: () => afterDeploy(cache, projectId, botId),
    onError: (error) => afterRefusal(cache, projectId, botId, error),
  });
}

const versionsOf = (projectId: string, botId: string) =>
  queryOptions({
    queryKey: [...keys.bot(projectId, botId), 'versions'],
    queryFn: ({ signal }) => api<BotVersions>(`${pathOf(projectId, botId)}/versions`, { signal }),
  });

const versionOf = (projectId: string, botId: string, number: number | undefined) =>
  queryOptions({
    queryKey: [...keys.bot(projectId, botId), 'version', number],
    queryFn: ({ signal }) => api<VersionSource>(`${pathOf(projectId, botId)}/versions/${number}`, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

export function useVersions(projectId: string, botId: string) {
  return useQuery(versionsOf(projectId, botId));
}

export function useVersion(projectId: string, botId: string, number: number | undefined) {
  return useQuery({ ...versionOf(projectId, botId, number), enabled: number !== undefined });
}

/** What a deploy would replace: asked for now, whatever was read before. */
export function useReadLive(projectId: string, botId: string) {
  const cache = useQueryClient();
  return async () => {
    const { live, elsewhere } = await cache.fetchQuery({ ...versionsOf(projectId, botId), staleTime: 0 });
    return live === null ? undefined : { ...(await cache.fetchQuery(versionOf(projectId, botId, live))), elsewhere };
  };
}

/** What marks of a version go by: what is pending about it. */
export function toVersionId(botId: string, number: number): string {
  return `${botId}/${number}`;
}

/** An old version's code goes live again, as a new version. */
export function useRollback(projectId: string, botId: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (body: { number: number; over: number; note?: string; force?: true }) =>
      api<Pick<BotVersion, 'number'>>(`${pathOf(projectId, botId)}/rollback`, { method: 'POST', body }),
    meta: { about: ({ number }: { number: number }) => [botId, toVersionId(botId, number)] },
    onSuccess: () => afterDeploy(cache, projectId, botId),
    onError: (error) => afterRefusal(cache, projectId, botId, error),
  });
}

/** A deploy writes the Bot too: its version number has moved, and the draft is read again with it. */
function afterDeploy(cache: QueryClient, projectId: string, botId: string): Promise<void> {
  void cache.invalidateQueries({ queryKey: keys.botList(projectId) });
  return cache.invalidateQueries({ queryKey: keys.bot(projectId, botId) });
}

function afterRefusal(cache: QueryClient, projectId: string, botId: string, error: Error): Promise<void> | undefined {
  // Another version is live than this page knows.
  return error instanceof ApiError && error.status === 412
    ? cache.invalidateQueries({ queryKey: versionsOf(projectId, botId).queryKey })
    : undefined;
}
