'use client';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type {
  DeadLetterGroup,
  DeadLetterGroups,
  DeadLetterPage,
  DeadLettersDone,
  DeadLettersRequest,
} from '#lib/protocol/bots/dead-letters.ts';
import { api } from '../api/api.ts';
import { keys } from '../api/query-keys.ts';

const PAGE = 50;
const toPath = (projectId: string) => `/admin/projects/${projectId}/dead-letters`;

/** Those that failed alike, of one bot or of all. */
export function useDeadLetterGroups(projectId: string, botId?: string) {
  const query = botId ? `?bot=${botId}` : '';
  return useQuery({
    queryKey: [...keys.deadLetters(projectId), 'groups', botId ?? ''],
    queryFn: ({ signal }) => api<DeadLetterGroups>(`${toPath(projectId)}/groups${query}`, { signal }),
  });
}

/** Those of one group, last failed first, a page at a time. */
export function useDeadLetters(projectId: string, { fingerprint }: DeadLetterGroup) {
  return useInfiniteQuery({
    queryKey: [...keys.deadLetters(projectId), 'list', fingerprint],
    queryFn: ({ pageParam, signal }) => {
      const query = new URLSearchParams({ fingerprint, _count: String(PAGE), ...(pageParam && { cursor: pageParam }) });
      return api<DeadLetterPage>(`${toPath(projectId)}?${query}`, { signal });
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.next ?? undefined,
  });
}

/** Runs them again, or takes them off the list for good. */
export function useTakeDeadLetters(projectId: string, act: 'replay' | 'drop') {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (body: DeadLettersRequest) =>
      api<DeadLettersDone>(`${toPath(projectId)}/${act}`, { method: 'POST', body }),
    onSettled: () => cache.invalidateQueries({ queryKey: keys.deadLetters(projectId) }),
  });
}
