'use client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ApiKeyRow, NewApiKey, OwnApiKeys } from '#lib/protocol/api-keys/answers.ts';
import type { NewApiKeyRequest } from '#lib/protocol/api-keys/request.ts';
import { api } from '../api/api.ts';
import { keys } from '../api/query-keys.ts';

/** One's own keys in the project that the page shows. */
export function useOwnKeys(projectId: string) {
  return useQuery({
    queryKey: [...keys.apiKeys(projectId), 'own'],
    queryFn: ({ signal }) => api<OwnApiKeys>('/auth/keys', { signal }),
  });
}

export function useAddKey(projectId: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (body: NewApiKeyRequest) => api<NewApiKey>('/auth/keys', { method: 'POST', body }),
    onSettled: () => cache.invalidateQueries({ queryKey: keys.apiKeys(projectId) }),
  });
}

/** It works no longer, at once. */
export function useEndKey(projectId: string) {
  return useEnding(projectId, ({ id }) => `/auth/keys/${id}`);
}

/** The keys of a member, for administrators. */
export function useMemberKeys(projectId: string, membershipId: string) {
  return useQuery({
    queryKey: [...keys.apiKeys(projectId), membershipId],
    queryFn: async ({ signal }) => {
      const { rows } = await api<{ rows: ApiKeyRow[] }>(pathOf(projectId, membershipId), { signal });
      return rows;
    },
  });
}

/** One of them, or without an id all. */
export function useEndMemberKeys(projectId: string, membershipId: string) {
  return useEnding(projectId, ({ id }) => `${pathOf(projectId, membershipId)}${id === undefined ? '' : `/${id}`}`);
}

function pathOf(projectId: string, membershipId: string): string {
  return `/admin/projects/${projectId}/members/${membershipId}/keys`;
}

type Ending = { id?: string };

function useEnding(projectId: string, toPath: (ending: Ending) => string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (ending: Ending) => api(toPath(ending), { method: 'DELETE' }),
    meta: { about: ({ id }: Ending) => (id === undefined ? [] : [id]) },
    onSettled: () => cache.invalidateQueries({ queryKey: keys.apiKeys(projectId) }),
  });
}
