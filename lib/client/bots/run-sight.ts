'use client';
import { useQuery } from '@tanstack/react-query';
import type { ErrorGroups, FigureSpan, RunFigures } from '#lib/protocol/bots/runs/run-sight.ts';
import { api } from '../api/api.ts';
import { keys } from '../api/query-keys.ts';
import { type RunSearch, toRunFilter } from './run-search.ts';

/** Failures of a project, or of one of its bots, by what is one fault. */
export function useRunErrors(projectId: string, { bot, window }: Pick<RunSearch, 'bot' | 'window'>) {
  return useQuery({
    queryKey: [...keys.runs(projectId), 'errors', bot, window],
    queryFn: ({ signal }) => {
      const filter = toRunFilter({ bot, window, status: 'any', trigger: 'any', fingerprint: '' }, Date.now());
      return api<ErrorGroups>(`/admin/projects/${projectId}/runs/errors?${new URLSearchParams(filter)}`, { signal });
    },
  });
}

/** Runs over time; of all bots where `bot` is empty. */
export function useRunFigures(projectId: string, bot: string, span: FigureSpan) {
  return useQuery<RunFigures>({
    queryKey: [...keys.runs(projectId), 'figures', bot, span],
    // Of the same bot: what was opened stays open while another time is looked at.
    placeholderData: (before, query) => (query?.queryKey.at(-2) === bot ? before : undefined),
    queryFn: ({ signal }) => {
      const query = new URLSearchParams({ span, ...(bot && { bot }) });
      return api<RunFigures>(`/admin/projects/${projectId}/runs/figures?${query}`, { signal });
    },
  });
}
