'use client';
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import type { Bundle, Resource } from 'fhir/r4';
import type { Me } from '#lib/protocol/answers/me.ts';
import type { StartedView, ViewAsRequest } from '#lib/protocol/view-as/view-as.ts';
import { api } from '../api/api.ts';
import { keys } from '../api/query-keys.ts';

/** The token is kept by the page that shows the view, and nowhere else: another tab, and this one anew, is the administrator. */
export type View = Pick<StartedView, 'id' | 'token'> & {
  /** By the clock of this page, in epoch milliseconds. */
  overAt: number;
};

const toPath = (projectId: string, membershipId: string) =>
  `/admin/projects/${projectId}/members/${membershipId}/view-as`;
const PAGE = 20;

export function useStartView(projectId: string, membershipId: string) {
  return useMutation({
    mutationFn: async (body: ViewAsRequest): Promise<View> => {
      const path = toPath(projectId, membershipId);
      const { id, token, now, endsAt } = await api<StartedView>(path, { method: 'POST', body });
      return { id, token, overAt: Date.now() + Date.parse(endsAt) - Date.parse(now) };
    },
  });
}

/** With the administrator’s own session. */
export function useEndView(projectId: string, membershipId: string) {
  return useMutation({ mutationFn: () => api(toPath(projectId, membershipId), { method: 'DELETE' }) });
}

/** For a page that is left: nobody waits for the answer. */
export function endViewInPassing(projectId: string, membershipId: string): void {
  void fetch(toPath(projectId, membershipId), { method: 'DELETE', keepalive: true }).catch(() => undefined);
}

/** A 401 says that the view is over, and not that the session of the page is. */
function read<Body>({ token }: View, path: string, signal: AbortSignal): Promise<Body> {
  return api<Body>(path, { headers: { Authorization: `Bearer ${token}` }, signingIn: true, signal });
}

/** Who they are here, and which types they see. What was seen is forgotten when it is shown no more. */
export function useSeenMe(view: View) {
  return useQuery({
    queryKey: [...keys.view(view.id), 'me'],
    queryFn: ({ signal }) => read<Me>(view, '/auth/me', signal),
    retry: false,
    gcTime: 0,
  });
}

export function useSeenRecords(view: View, asked: { type: string; query: string } | undefined) {
  return useInfiniteQuery({
    queryKey: [...keys.view(view.id), 'records', asked],
    enabled: asked !== undefined,
    queryFn: ({ pageParam, signal }) => read<Bundle<Resource>>(view, pageParam || firstPage(asked), signal),
    initialPageParam: '',
    getNextPageParam: ({ link }) => {
      const next = URL.parse(link?.find(({ relation }) => relation === 'next')?.url ?? '');
      return next ? next.pathname + next.search : undefined;
    },
    retry: false,
    gcTime: 0,
  });
}

function firstPage(asked: { type: string; query: string } | undefined): string {
  const params = new URLSearchParams(asked?.query);
  if (!params.has('_count')) params.set('_count', String(PAGE));
  return `/fhir/R4/${encodeURIComponent(asked?.type ?? '')}?${params}`;
}
