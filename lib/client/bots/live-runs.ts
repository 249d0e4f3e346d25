'use client';
import { type InfiniteData, type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { ProjectRun, ProjectRunPage } from '#lib/protocol/bots/runs/bot-runs.ts';
import { parseCursor } from '#lib/protocol/cursor.ts';
import { apiResponse } from '../api/api.ts';
import { ApiError } from '../api/api-error.ts';
import { readEvents } from './read-events.ts';
import { type RunSearch, toRunFilter } from './run-search.ts';
import { runListKey } from './runs.ts';

const AGAIN_MS = 2000;
/** What comes in is shown together. */
const SHOW_MS = 1000;
/** Rows that wait to be shown, and those of the first page: what is more is read anew. */
const MOST_WAITING = 200;
const MOST_SHOWN = 300;

export type LiveRuns = {
  /** New runs that are held back. */
  waiting: number;
  /** So many came since it was turned on. */
  came: number;
  error: ApiError | undefined;
  show: () => void;
};

/**
 * Runs as they are recorded, put before those that the list has. While `held` (paused, or its reader is further down) they wait to be shown: nothing moves
 * under the eyes of who reads. A connection that is lost is opened again, after the last that was told.
 */
export function useLiveRuns(projectId: string, search: RunSearch, on: boolean, held: () => boolean): LiveRuns {
  const cache = useQueryClient();
  const waiting = useRef<ProjectRun[]>([]);
  const [counts, setCounts] = useState({ waiting: 0, came: 0 });
  const [error, setError] = useState<ApiError>();
  const { window: _all, ...rest } = search;
  const filter = JSON.stringify(toRunFilter({ ...rest, window: 'any' }, 0));
  const listKey = JSON.stringify(runListKey(projectId, search, ''));

  /** Pressed while the list was being read. */
  const isAsked = useRef(false);
  const take = useCallback(() => {
    if (!showFresh(cache, JSON.parse(listKey) as unknown[], waiting.current)) return;
    isAsked.current = false;
    waiting.current = [];
    setCounts(({ came }) => ({ waiting: 0, came }));
  }, [cache, listKey]);
  const show = useCallback(() => {
    isAsked.current = true;
    take();
  }, [take]);

  const isHeld = useRef(held);
  useEffect(() => {
    isHeld.current = held;
  });

  useEffect(() => {
    if (!on) return;
    const ending = new AbortController();
    const { signal } = ending;
    waiting.current = [];
    isAsked.current = false;
    setCounts({ waiting: 0, came: 0 });
    setError(undefined);
    let last = '';
    const listedIds = () => idsOf(cache.getQueryData<InfiniteData<ProjectRunPage>>(JSON.parse(listKey) as unknown[]));
    // What is about to be shown waits for nobody.
    const tell = (more: number) => {
      const held = isHeld.current() ? waiting.current.length : 0;
      setCounts((counts) => (more || held !== counts.waiting ? { waiting: held, came: counts.came + more } : counts));
    };
    // The list was read anew, and may have what waits to be shown.
    const leaveListed = () => {
      const listed = listedIds();
      waiting.current = waiting.current.filter(({ id }) => !listed.has(id));
      tell(0);
    };
    const follow = async () => {
      const path = `/admin/projects/${projectId}/runs/live?${new URLSearchParams(JSON.parse(filter))}`;
      const headers = { Accept: 'text/event-stream', ...(last && { 'Last-Event-ID': last }) };
      const { body } = await apiResponse(path, { headers, signal });
      setError(undefined);
      let since = parseCursor(last)?.at;
      for await (const { id, event, data } of readEvents(body!)) {
        last = id || last;
        const at = parseCursor(id)?.at;
        if (event !== 'run') {
          since = at;
          void cache.invalidateQueries({ queryKey: JSON.parse(listKey) }).then(leaveListed);
        } else {
          const run = JSON.parse(data) as ProjectRun;
          // What was written a moment before is told, too, lest one that showed late is missed; of those the list has most.
          const isEarlier = at !== undefined && since !== undefined && at <= since;
          const isListed = listedIds().has(run.id);
          if (!isListed) waiting.current = [run, ...waiting.current].slice(0, MOST_WAITING);
          if (!(isListed && isEarlier)) tell(1);
        }
      }
    };
    void (async () => {
      while (!signal.aborted) {
        try {
          await follow();
        } catch (failure) {
          if (signal.aborted) return;
          // Lost on the way, or refused: whoever may not is told so, and asks no more. Where too many follow, there will be a place.
          if (failure instanceof ApiError && failure.status >= 400 && failure.status < 500) {
            setError(failure);
            if (failure.status !== 429) return;
          }
        }
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
      }
    })();
    const timer = setInterval(() => {
      if (waiting.current.length === 0) isAsked.current = false;
      else if (isAsked.current || !isHeld.current()) take();
      tell(0);
    }, SHOW_MS);
    return () => {
      ending.abort();
      clearInterval(timer);
    };
  }, [on, projectId, filter, listKey, cache, take]);

  return { ...counts, error, show };
}

/** Puts new runs before those of the list. False while it is read: what comes then is written over it, and they have to wait. */
export function showFresh(cache: QueryClient, queryKey: QueryKey, fresh: readonly ProjectRun[]): boolean {
  const shown = cache.getQueryData<InfiniteData<ProjectRunPage>>(queryKey);
  if (!shown || cache.getQueryState(queryKey)?.fetchStatus !== 'idle') return false;
  const isMuch = fresh.length >= MOST_WAITING || (shown.pages[0]?.rows.length ?? 0) > MOST_SHOWN;
  cache.setQueryData(queryKey, isMuch ? firstPageOf(shown) : { ...shown, pages: before(fresh, shown) });
  // What stands there stays until the new first page is there.
  if (isMuch) void cache.invalidateQueries({ queryKey });
  return true;
}

function before(fresh: readonly ProjectRun[], data: InfiniteData<ProjectRunPage>): ProjectRunPage[] {
  const { pages } = data;
  const known = idsOf(data);
  const [first, ...others] = pages;
  if (!first) return pages;
  return [{ ...first, rows: [...fresh.filter(({ id }) => !known.has(id)), ...first.rows] }, ...others];
}

function firstPageOf({ pages, pageParams }: InfiniteData<ProjectRunPage>): InfiniteData<ProjectRunPage> {
  return { pages: pages.slice(0, 1), pageParams: pageParams.slice(0, 1) };
}

function idsOf(data: InfiniteData<ProjectRunPage> | undefined): Set<string> {
  return new Set(data?.pages.flatMap(({ rows }) => rows.map(({ id }) => id)));
}
