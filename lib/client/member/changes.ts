'use client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { WaitingChanges } from '#lib/protocol/account-changes/answers.ts';
import { api } from '../api/api.ts';
import { keys } from '../api/query-keys.ts';

/** What waits to be changed of how a member signs in. */
export function useMemberChanges(projectId: string, membershipId: string) {
  return useQuery({
    queryKey: [...keys.member(projectId, membershipId), 'changes'],
    queryFn: async ({ signal }) => (await api<WaitingChanges>(toPath(projectId, membershipId), { signal })).changes,
  });
}

export function useCancelMemberChange(projectId: string, membershipId: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api(`${toPath(projectId, membershipId)}/${id}`, { method: 'DELETE' }),
    meta: { about: (id: string) => [id] },
    onSettled: () => cache.invalidateQueries({ queryKey: keys.member(projectId, membershipId) }),
  });
}

/** The end of an account that is the project's own: it waits, among the changes. `confirm`: what it is called. */
export function useRequestMemberErasure(projectId: string, membershipId: string) {
  const cache = useQueryClient();
  const path = `/admin/projects/${projectId}/members/${membershipId}/erasure`;
  return useMutation({
    mutationFn: (confirm: string) => api(path, { method: 'POST', body: { confirm } }),
    meta: { about: () => [membershipId] },
    onSettled: () => cache.invalidateQueries({ queryKey: keys.member(projectId, membershipId) }),
  });
}

function toPath(projectId: string, membershipId: string): string {
  return `/admin/projects/${projectId}/members/${membershipId}/changes`;
}
