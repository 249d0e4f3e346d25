'use client';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import type { AuditPage } from '#lib/protocol/answers/audit.ts';
import { api } from '../api/api.ts';
import { keys } from '../api/query-keys.ts';
import { foldActivity } from './fold.ts';
import { AREA_ACTIONS, type Area } from './words.ts';

/** What the page shows, as its URL says it. `from` and `to` are days, `to` included; empty means any. */
export type ActivitySearch = {
  area: Area;
  outcome: 'any' | 'success' | 'failure';
  actor: string;
  target: string;
  from: string;
  to: string;
};

const PAGE = 50;
const LARGE_PAGE = 200;
const FEW = 3;

export function useActivity(projectId: string, search: ActivitySearch) {
  const query = toAuditQuery(search);
  return useInfiniteQuery({
    queryKey: [...keys.activity(projectId), query],
    queryFn: ({ pageParam, signal }) =>
      api<AuditPage>(
        `/admin/projects/${projectId}/audit?${query}&_count=${pageParam.count}${pageParam.cursor && `&cursor=${encodeURIComponent(pageParam.cursor)}`}`,
        { signal },
      ),
    initialPageParam: { cursor: '', count: PAGE },
    // A page that is one bulk job is followed by larger ones, until there is something else.
    getNextPageParam: ({ rows, next }) =>
      next === null ? undefined : { cursor: next, count: foldActivity(rows).length > FEW ? PAGE : LARGE_PAGE },
    placeholderData: keepPreviousData,
  });
}

/** Days are those of the reader's own calendar. */
export function toAuditQuery({ area, outcome, actor, target, from, to }: ActivitySearch): string {
  const params = new URLSearchParams();
  if (area !== 'any') params.set('action', AREA_ACTIONS[area]);
  if (outcome !== 'any') params.set('outcome', outcome);
  if (actor) params.set('actor', actor);
  if (target) params.set('target', target);
  const start = startOfDay(from);
  const end = startOfDay(to, 1);
  if (start) params.set('from', start.toISOString());
  if (end) params.set('to', end.toISOString());
  return params.toString();
}

function startOfDay(day: string, plusDays = 0): Date | undefined {
  const [year, month, date] = /^\d{4}-\d{2}-\d{2}$/.test(day) ? day.split('-').map(Number) : [];
  return year && month && date ? new Date(year, month - 1, date + plusDays) : undefined;
}
