'use client';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { AccessAsOf } from '#lib/protocol/audit/access-as-of.ts';
import { api } from '../api/api.ts';
import { keys } from '../api/query-keys.ts';

/** As the URL says it: `at` is a day and time of the reader's own clock, as a form has it. */
export type AccessQuestion = { resource: string; at: string };

const PAGE = 100;

/** Who could read a record then, members page by page. Nothing is asked before both are known. */
export function useAccessAsOf(projectId: string, { resource, at }: AccessQuestion) {
  const instant = toInstant(at);
  return useInfiniteQuery({
    queryKey: [...keys.accessAsOf(projectId), resource, instant],
    enabled: resource !== '' && instant !== undefined,
    queryFn: ({ pageParam, signal }) => {
      const params = new URLSearchParams({ resource, at: instant ?? '', _count: String(PAGE) });
      if (pageParam) params.set('cursor', pageParam);
      return api<AccessAsOf>(`/admin/projects/${projectId}/access-as-of?${params}`, { signal });
    },
    initialPageParam: '',
    getNextPageParam: ({ next }) => next ?? undefined,
  });
}

function toInstant(at: string): string | undefined {
  const date = new Date(at);
  return at === '' || Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
