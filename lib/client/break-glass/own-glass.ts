'use client';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import type { OwnGrant, OwnGrantPage } from '#lib/protocol/break-glass/answers.ts';
import { api } from '../api/api.ts';
import { keys } from '../api/query-keys.ts';

const PATH = '/auth/me/break-glass';
const PAGE = 10;

/** One’s own, in the project of the session. */
export function useOwnGrants() {
  return useInfiniteQuery({
    queryKey: keys.ownGrants,
    queryFn: ({ pageParam, signal }) => {
      const query = new URLSearchParams({ _count: String(PAGE), ...(pageParam && { cursor: pageParam }) });
      return api<OwnGrantPage>(`${PATH}?${query}`, { signal });
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.next ?? undefined,
  });
}

export function useBreakGlass() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (reason: string) => api<OwnGrant>(PATH, { method: 'POST', body: { reason } }),
    // What was closed may be open now.
    onSettled: () => cache.invalidateQueries(),
  });
}

export function useEndOwnGrant() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api<OwnGrant>(`${PATH}/${id}/end`, { method: 'POST' }),
    onSettled: () => cache.invalidateQueries(),
  });
}
