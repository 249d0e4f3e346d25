'use client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { OwnErasure, WaitingChange } from '#lib/protocol/account-changes/answers.ts';
import { api } from '../api/api.ts';
import { keys } from '../api/query-keys.ts';

/** What would end with one's account, and whether that waits. */
export function useOwnErasure() {
  return useQuery({
    queryKey: keys.ownErasure,
    queryFn: ({ signal }) => api<OwnErasure>('/auth/erasure', { signal }),
  });
}

/** 409 while a project cannot be without the account. */
export function useRequestErasure() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (confirm: string) => api<WaitingChange>('/auth/erasure', { method: 'POST', body: { confirm } }),
    onSettled: () => cache.invalidateQueries({ queryKey: keys.ownErasure }),
  });
}

export function useCancelErasure() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api(`/auth/changes/${id}`, { method: 'DELETE' }),
    meta: { about: (id: string) => [id] },
    onSettled: () => cache.invalidateQueries({ queryKey: keys.ownErasure }),
  });
}
