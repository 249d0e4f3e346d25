'use client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { AuditPage } from '#lib/protocol/answers/audit.ts';
import type { Finding, Overview } from '#lib/protocol/answers/overview.ts';
import { api } from '../api/api.ts';
import { keys } from '../api/query-keys.ts';

export function useOverview(projectId: string) {
  return useQuery({
    queryKey: keys.overview(projectId),
    queryFn: ({ signal }) => api<Overview>(`/admin/projects/${projectId}/overview`, { signal }),
  });
}

/** What administrators do; sign-ins and the writing of records would bury it. */
const CHANGES = 'membership.*,invite.*,project.*,client.*,bot.*,access-policy.*,job.*,user.*';

/** The last changes by themselves, for when the overview that holds them has no answer. */
export function useRecentChanges(projectId: string, enabled: boolean) {
  return useQuery({
    queryKey: [...keys.activity(projectId), 'recent'],
    queryFn: async ({ signal }) => {
      const query = new URLSearchParams({ _count: '50', action: CHANGES });
      return (await api<AuditPage>(`/admin/projects/${projectId}/audit?${query}`, { signal })).rows;
    },
    enabled,
  });
}

/** What the server mends by itself: a fresh invitation, or the profile that was deleted. */
export function useMend(projectId: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ target, fix }: Finding) => {
      const member = `/admin/projects/${projectId}/members/${target.split('/')[1]}`;
      return api(`${member}/${fix === 'repair' ? 'repair' : 'resendinvite'}`, { method: 'POST', body: {} });
    },
    meta: { about: ({ target }: Finding) => [target] },
    onSettled: () => cache.invalidateQueries({ queryKey: keys.project(projectId) }),
  });
}
