'use client';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { AccessReview, AccessReviewPage, Decided, ReviewRowPage } from '#lib/protocol/access-reviews/answers.ts';
import type {
  AccessReviewRequest,
  CloseReviewRequest,
  Decision,
  ReviewRowsQuery,
} from '#lib/protocol/access-reviews/requests.ts';
import { api } from '../api/api.ts';
import { keys } from '../api/query-keys.ts';
import type { Member, SearchSet } from '../api/types.ts';

const PAGE = 50;
const MOST_ADMINS = 100;
/** While it is applied. */
const FRESH_MS = 1000;

const toPath = (projectId: string, reviewId = '') =>
  `/admin/projects/${projectId}/access-reviews${reviewId && `/${reviewId}`}`;

export function useReviews(projectId: string) {
  return useInfiniteQuery({
    queryKey: [...keys.accessReviews(projectId), 'list'],
    queryFn: ({ pageParam, signal }) => {
      const query = new URLSearchParams({ _count: String(PAGE), ...(pageParam && { cursor: pageParam }) });
      return api<AccessReviewPage>(`${toPath(projectId)}?${query}`, { signal });
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.next ?? undefined,
  });
}

export function useReview(projectId: string, reviewId: string) {
  return useQuery({
    queryKey: [...keys.accessReviews(projectId), 'one', reviewId],
    queryFn: ({ signal }) => api<AccessReview>(toPath(projectId, reviewId), { signal }),
    refetchInterval: ({ state }) => (state.data?.state === 'closing' ? FRESH_MS : false),
  });
}

export type RowFilter = NonNullable<ReviewRowsQuery['decision']> | 'all';

/** Its members by name, a page at a time. `state`: of the review, whose end changes what they say. */
export function useReviewRows(
  projectId: string,
  reviewId: string,
  { state, filter }: { state: string; filter: RowFilter },
) {
  return useInfiniteQuery({
    queryKey: [...keys.accessReviews(projectId), 'rows', reviewId, filter, state],
    queryFn: ({ pageParam, signal }) => {
      const query = new URLSearchParams({
        ...{ _count: String(PAGE), ...(filter !== 'all' && { decision: filter }) },
        ...(pageParam && { cursor: pageParam }),
      });
      return api<ReviewRowPage>(`${toPath(projectId, reviewId)}/rows?${query}`, { signal });
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.next ?? undefined,
  });
}

export type Admin = { id: string; name: string };

/** People who administer the project, who may review. */
export function useAdmins(projectId: string) {
  const query = new URLSearchParams({
    ...{ admin: 'true', active: 'true', 'profile-type:not': 'ClientApplication,Bot' },
    ...{ _sort: 'name', _count: String(MOST_ADMINS) },
  });
  return useQuery({
    queryKey: [...keys.members(projectId), 'administrators'],
    queryFn: async ({ signal }): Promise<Admin[]> => {
      const bundle = await api<SearchSet<Member>>(`/fhir/R4/ProjectMembership?${query}`, { signal });
      return (bundle.entry ?? []).map(({ resource: { id, profile, user } }) => ({
        id,
        name: profile.display ?? user.display ?? id,
      }));
    },
  });
}

export function useStartReview(projectId: string) {
  const refresh = useRefresh(projectId);
  return useMutation({
    mutationFn: (body: AccessReviewRequest) => api<{ id: string }>(toPath(projectId), { method: 'POST', body }),
    onSettled: refresh,
  });
}

export function useDecide(projectId: string, reviewId: string) {
  const refresh = useRefresh(projectId);
  return useMutation({
    mutationFn: (decisions: Decision[]) =>
      api<Decided>(`${toPath(projectId, reviewId)}/decisions`, { method: 'POST', body: { decisions } }),
    onSettled: refresh,
  });
}

export function useEndReview(projectId: string, reviewId: string) {
  const refresh = useRefresh(projectId);
  return useMutation({
    mutationFn: ({ act, body }: { act: 'close' | 'cancel'; body?: CloseReviewRequest }) =>
      api<AccessReview>(`${toPath(projectId, reviewId)}/${act}`, { method: 'POST', body: body ?? {} }),
    onSettled: refresh,
  });
}

/** Also what members have: a closed review changes it. */
function useRefresh(projectId: string) {
  const cache = useQueryClient();
  return async () => {
    void cache.invalidateQueries({ queryKey: keys.members(projectId) });
    await cache.invalidateQueries({ queryKey: keys.accessReviews(projectId) });
  };
}
