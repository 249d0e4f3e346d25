'use client';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import type { OwnAccessRequest, OwnAccessRequestPage } from '#lib/protocol/access-requests/answers.ts';
import { api, apiAnswer } from '../api/api.ts';
import { keys } from '../api/query-keys.ts';

const PATH = '/auth/me/access-requests';
const PAGE = 10;

/** One’s own, in the project of the session. */
export function useOwnRequests() {
  return useInfiniteQuery({
    queryKey: keys.ownRequests,
    queryFn: ({ pageParam, signal }) => {
      const query = new URLSearchParams({ _count: String(PAGE), ...(pageParam && { cursor: pageParam }) });
      return api<OwnAccessRequestPage>(`${PATH}?${query}`, { signal });
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.next ?? undefined,
  });
}

/** By the id of a refusal, or by what of which type. */
type AskedAccess = { reason: string } & ({ decision: string } | { resourceType: string; interaction: string });

export function useAskAccess() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: async (body: AskedAccess) => {
      const { body: request, status } = await apiAnswer<OwnAccessRequest>(PATH, { method: 'POST', body });
      return { request, isNew: status === 201 };
    },
    onSettled: refresh,
  });
}

export function useWithdrawRequest() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (id: string) => api<OwnAccessRequest>(`${PATH}/${id}/withdraw`, { method: 'POST' }),
    onSettled: refresh,
  });
}

function useRefresh() {
  const cache = useQueryClient();
  return () => cache.invalidateQueries({ queryKey: keys.ownRequests });
}
