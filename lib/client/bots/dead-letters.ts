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

/** Those that failed alike, of one bot or of all, and of one error where the address says which. */
export function useDeadLetterGroups(projectId: string, botId?: string, fingerprint = '') {
  const query = new URLSearchParams({ ...(botId && { bot: botId }), ...(fingerprint && { fingerprint }) });
  return useQuery({
    queryKey: [...keys.deadLetters(projectId), 'groups', botId ?? '', fingerprint],
    queryFn: ({ signal }) => api<DeadLetterGroups>(`${toPath(projectId)}/groups?${query}`, { signal }),
  });
}

/** What a group is asked for by, and known by in an address. */
export function ofGroup({ fingerprint, trigger, bot }: DeadLetterGroup): NonNullable<DeadLettersRequest['all']> {
  const id = bot?.reference.slice('Bot/'.length);
  return { fingerprint, trigger: trigger as NonNullable<DeadLettersRequest['all']>['trigger'], ...(id && { bot: id }) };
}

export function toGroupId({ fingerprint, trigger, bot }: DeadLetterGroup): string {
  return [fingerprint, trigger, bot?.reference.slice('Bot/'.length)].filter(Boolean).join('.');
}

/** Those of one group, last failed first, a page at a time. */
export function useDeadLetters(projectId: string, group: DeadLetterGroup) {
  return useInfiniteQuery({
    queryKey: [...keys.deadLetters(projectId), 'list', toGroupId(group)],
    queryFn: ({ pageParam, signal }) => {
      const query = new URLSearchParams({
        ...ofGroup(group),
        _count: String(PAGE),
        ...(pageParam && { cursor: pageParam }),
      });
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
