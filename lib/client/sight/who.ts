'use client';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { WhoCanRead } from '#lib/protocol/policies/answers.ts';
import { api } from '../api/api.ts';
import { keys } from '../api/query-keys.ts';

/** As the URL says it: `at` is a day and time of the reader's own clock, as a form has it; empty is now. */
export type AccessQuestion = { resource: string; at: string };

const PAGE = 100;

/** Who can read a record, or could then, members page by page. Nothing is asked before a record is named. */
export function useWho(projectId: string, { resource, at }: AccessQuestion) {
  const instant = toInstant(at);
  return useInfiniteQuery({
    queryKey: [...keys.who(projectId), resource, instant],
    enabled: resource !== '' && (at === '' || instant !== undefined),
    queryFn: ({ pageParam, signal }) => {
      const params = new URLSearchParams({ resource, _count: String(PAGE) });
      if (instant) params.set('at', instant);
      if (pageParam) params.set('cursor', pageParam);
      return api<WhoCanRead>(`/admin/projects/${projectId}/access/who?${params}`, { signal });
    },
    initialPageParam: '',
    getNextPageParam: ({ next }) => next ?? undefined,
  });
}

/** Undefined for what is no moment. */
export function toInstant(at: string): string | undefined {
  const date = new Date(at);
  return at === '' || Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
