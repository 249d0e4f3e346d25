'use client';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { RevealRequest } from '#lib/protocol/bots/runs/run-requests.ts';
import type {
  Hl7Feed,
  Hl7FeedList,
  Hl7MessageDetail,
  Hl7MessagePage,
  MessageState,
} from '#lib/protocol/hl7/feeds/feed-answers.ts';
import type { FeedChange } from '#lib/protocol/hl7/feeds/feed-requests.ts';
import { api } from '../api/api.ts';
import { keys } from '../api/query-keys.ts';

const PAGE = 50;
/** How it does changes by itself. */
const FRESH_MS = 10_000;
/** What waits or runs. */
const GOING_MS = 2000;

const toPath = (projectId: string, feedId = '') => `/admin/projects/${projectId}/hl7-feeds${feedId && `/${feedId}`}`;
const listKey = (projectId: string) => [...keys.hl7Feeds(projectId), 'list'];

/** The feeds of a project with their state, looked at anew while the page is open, and what the server offers. */
export function useFeeds(projectId: string) {
  return useQuery({
    queryKey: listKey(projectId),
    queryFn: ({ signal }) => api<Hl7FeedList>(toPath(projectId), { signal }),
    refetchInterval: FRESH_MS,
  });
}

/** A new feed, or the whole of one anew. */
export function useSaveFeed(projectId: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ id, body }: { id?: string; body: Partial<FeedChange> }) =>
      api<Hl7Feed>(toPath(projectId, id), { method: id ? 'PUT' : 'POST', body }),
    meta: { about: ({ id }: { id?: string }) => (id ? [id] : []) },
    onSettled: () => cache.invalidateQueries({ queryKey: listKey(projectId) }),
  });
}

export function useRemoveFeed(projectId: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (feedId: string) => api(toPath(projectId, feedId), { method: 'DELETE' }),
    meta: { about: (feedId: string) => [feedId] },
    onSuccess: () => cache.invalidateQueries({ queryKey: keys.hl7Feeds(projectId) }),
  });
}

const isGoing = ({ state }: { state: MessageState }) => state === 'waiting' || state === 'running';

/** The newest first, a page at a time; nothing of what they say. */
export function useMessages(projectId: string, feedId: string, state: MessageState | 'any') {
  return useInfiniteQuery({
    queryKey: [...keys.hl7Feeds(projectId), 'messages', feedId, state],
    queryFn: ({ pageParam, signal }) => {
      const filter = {
        _count: String(PAGE),
        ...(state !== 'any' && { state }),
        ...(pageParam && { cursor: pageParam }),
      };
      return api<Hl7MessagePage>(`${toPath(projectId, feedId)}/messages?${new URLSearchParams(filter)}`, { signal });
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.next ?? undefined,
    // All pages are read each time.
    refetchInterval: ({ state: { data, error } }) =>
      data?.pages.some(({ rows }) => rows.some(isGoing)) && !error ? GOING_MS * data.pages.length : false,
  });
}

/** One without what identifies somebody. */
export function useMessage(projectId: string, feedId: string, messageId: string) {
  return useQuery({
    queryKey: [...keys.hl7Feeds(projectId), 'message', feedId, messageId],
    queryFn: ({ signal }) => api<Hl7MessageDetail>(`${toPath(projectId, feedId)}/messages/${messageId}`, { signal }),
    refetchInterval: ({ state: { data, error } }) => (data && isGoing(data) && !error ? GOING_MS : false),
  });
}

/** One as it was, which is audited; nothing of the answer outlives who asked for it. */
export function useRevealMessage(projectId: string, feedId: string, messageId: string) {
  return useMutation({
    mutationFn: (body: RevealRequest) =>
      api<Hl7MessageDetail>(`${toPath(projectId, feedId)}/messages/${messageId}/reveal`, { method: 'POST', body }),
    gcTime: 0,
  });
}

/** One message, or all of the feed that have failed, run again. */
export function useReplayMessages(projectId: string, feedId: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (messageId?: string) => {
      const of = messageId ? `/messages/${messageId}` : '';
      return api<{ messages?: number }>(`${toPath(projectId, feedId)}${of}/replay`, { method: 'POST' });
    },
    onSettled: () => cache.invalidateQueries({ queryKey: keys.hl7Feeds(projectId) }),
  });
}
