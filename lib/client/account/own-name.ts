'use client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { OwnName } from '#lib/protocol/own-account/answers.ts';
import { api } from '../api/api.ts';
import { keys } from '../api/query-keys.ts';

/** What the account is called. Asked anew each time: another session may have changed it. */
export function useOwnName(enabled: boolean) {
  return useQuery({
    queryKey: keys.ownName,
    enabled,
    queryFn: ({ signal }) => api<OwnName>('/auth/name', { signal }),
    staleTime: 0,
    gcTime: 0,
  });
}

/** 412 where another session was faster. */
export function useChangeName() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (body: { firstName: string; lastName: string; version: number }) =>
      api<OwnName>('/auth/name', { method: 'PUT', body }),
    onSettled: () =>
      Promise.all([keys.me, keys.memberships, keys.ownName].map((queryKey) => cache.invalidateQueries({ queryKey }))),
  });
}
