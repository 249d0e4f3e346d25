'use client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ErrorGroups, FaultState, FigureSpan, RunFigures } from '#lib/protocol/bots/runs/run-sight.ts';
import { api } from '../api/api.ts';
import { keys } from '../api/query-keys.ts';
import { type RunSearch, toRunFilter } from './run-search.ts';

/** Failures of a project, or of one of its bots, by what is one fault. */
export function useRunErrors(
  projectId: string,
  { bot, window, state }: Pick<RunSearch, 'bot' | 'window'> & { state: FaultState },
) {
  return useQuery({
    queryKey: [...keys.runs(projectId), 'errors', bot, window, state],
    queryFn: ({ signal }) => {
      const filter = toRunFilter(
        { bot, window, version: null, status: 'any', trigger: 'any', fingerprint: '' },
        Date.now(),
      );
      const query = new URLSearchParams({ ...filter, state });
      return api<ErrorGroups>(`/admin/projects/${projectId}/runs/errors?${query}`, { signal });
    },
  });
}

/** What marks of a fault go by. */
export function toFaultId(fingerprint: string): string {
  return `fault/${fingerprint}`;
}

/** Says that a fault is over, or takes that back. */
export function useResolveFault(projectId: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ fingerprint, isResolved }: { fingerprint: string; isResolved: boolean }) =>
      api(`/admin/projects/${projectId}/runs/errors/${fingerprint}/resolved`, {
        method: isResolved ? 'PUT' : 'DELETE',
      }),
    meta: { about: ({ fingerprint }: { fingerprint: string }) => [toFaultId(fingerprint)] },
    onSettled: () => cache.invalidateQueries({ queryKey: [...keys.runs(projectId), 'errors'] }),
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
