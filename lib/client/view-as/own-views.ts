'use client';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { OwnViewPage } from '#lib/protocol/view-as/view-as.ts';
import { api } from '../api/api.ts';
import { keys } from '../api/query-keys.ts';

const PAGE = 10;

/** Who looked with one’s own eyes, in the project of the session. */
export function useOwnViews() {
  return useInfiniteQuery({
    queryKey: keys.ownViews,
    queryFn: ({ pageParam, signal }) => {
      const query = new URLSearchParams({ _count: String(PAGE), ...(pageParam && { cursor: pageParam }) });
      return api<OwnViewPage>(`/auth/me/views?${query}`, { signal });
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.next ?? undefined,
  });
}
