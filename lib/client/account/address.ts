'use client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { OwnAddress, WaitingChange } from '#lib/protocol/account-changes/answers.ts';
import { api } from '../api/api.ts';
import { keys } from '../api/query-keys.ts';

/** What one signs in with, and what of that waits to be changed. */
export function useOwnAddress() {
  return useQuery({
    queryKey: keys.ownAddress,
    queryFn: ({ signal }) => api<OwnAddress>('/auth/address', { signal }),
  });
}

/** 409 while another waits, and where others manage the address. */
export function useRequestAddress() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (email: string) => api<WaitingChange>('/auth/address', { method: 'POST', body: { email } }),
    onSettled: () => cache.invalidateQueries({ queryKey: keys.ownAddress }),
  });
}

export function useCancelOwnChange() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api(`/auth/changes/${id}`, { method: 'DELETE' }),
    meta: { about: (id: string) => [id] },
    onSettled: () => cache.invalidateQueries({ queryKey: keys.ownAddress }),
  });
}
