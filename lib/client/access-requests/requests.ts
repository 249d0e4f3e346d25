'use client';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { AccessRequest, AccessRequestPage, RequestState } from '#lib/protocol/access-requests/answers.ts';
import type { GrantRequest, RefuseRequest } from '#lib/protocol/access-requests/requests.ts';
import { api } from '../api/api.ts';
import { keys } from '../api/query-keys.ts';

const PAGE = 50;

const toPath = (projectId: string, rest = '') => `/admin/projects/${projectId}/access-requests${rest}`;

/** The newest first; of one state, or all. */
export function useRequests(projectId: string, state: RequestState | 'all') {
  return useInfiniteQuery({
    queryKey: [...keys.accessRequests(projectId), 'list', state],
    queryFn: ({ pageParam, signal }) => {
      const query = new URLSearchParams({
        ...{ _count: String(PAGE), ...(state !== 'all' && { state }) },
        ...(pageParam && { cursor: pageParam }),
      });
      return api<AccessRequestPage>(toPath(projectId, `?${query}`), { signal });
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.next ?? undefined,
  });
}

export function useRequest(projectId: string, requestId: string) {
  return useQuery({
    queryKey: [...keys.accessRequests(projectId), 'one', requestId],
    queryFn: ({ signal }) => api<AccessRequest>(toPath(projectId, `/${requestId}`), { signal }),
  });
}

export type Decision = { act: 'grant'; body: GrantRequest } | { act: 'refuse'; body: RefuseRequest };

export function useDecideRequest(projectId: string, requestId: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ act, body }: Decision) =>
      api<AccessRequest>(toPath(projectId, `/${requestId}/${act}`), { method: 'POST', body }),
    // Also where somebody else was first.
    onSettled: async () => {
      void cache.invalidateQueries({ queryKey: keys.members(projectId) });
      void cache.invalidateQueries({ queryKey: keys.overview(projectId) });
      await cache.invalidateQueries({ queryKey: keys.accessRequests(projectId) });
    },
  });
}
