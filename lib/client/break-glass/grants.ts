'use client';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { GrantDetail, GrantPage, GrantState } from '#lib/protocol/break-glass/answers.ts';
import { api } from '../api/api.ts';
import { keys } from '../api/query-keys.ts';

const PAGE = 50;

const toPath = (projectId: string, rest = '') => `/admin/projects/${projectId}/break-glass${rest}`;

/** The newest first; of one state, or all. */
export function useGrants(projectId: string, state: GrantState | 'all') {
  return useInfiniteQuery({
    queryKey: [...keys.breakGlass(projectId), 'list', state],
    queryFn: ({ pageParam, signal }) => {
      const query = new URLSearchParams({
        ...{ _count: String(PAGE), ...(state !== 'all' && { state }) },
        ...(pageParam && { cursor: pageParam }),
      });
      return api<GrantPage>(toPath(projectId, `?${query}`), { signal });
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.next ?? undefined,
  });
}

export function useGrant(projectId: string, grantId: string) {
  return useQuery({
    queryKey: [...keys.breakGlass(projectId), 'one', grantId],
    queryFn: ({ signal }) => api<GrantDetail>(toPath(projectId, `/${grantId}`), { signal }),
  });
}

export type GrantAct = { act: 'end' } | { act: 'close'; body: { note: string } };

export function useGrantAct(projectId: string, grantId: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (asked: GrantAct) =>
      api<GrantDetail>(toPath(projectId, `/${grantId}/${asked.act}`), {
        method: 'POST',
        ...(asked.act === 'close' && { body: asked.body }),
      }),
    // Also where somebody else was first.
    onSettled: async () => {
      void cache.invalidateQueries({ queryKey: keys.me });
      void cache.invalidateQueries({ queryKey: keys.members(projectId) });
      void cache.invalidateQueries({ queryKey: keys.overview(projectId) });
      await cache.invalidateQueries({ queryKey: keys.breakGlass(projectId) });
    },
  });
}
