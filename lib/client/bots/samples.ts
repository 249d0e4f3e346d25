'use client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { DryRun, DryRunRequest } from '#lib/protocol/bots/dry-run.ts';
import type { Sample, SampleChange, Samples } from '#lib/protocol/bots/samples.ts';
import { api } from '../api/api.ts';
import { keys } from '../api/query-keys.ts';

const samplesKey = (projectId: string, botId: string) => [...keys.bot(projectId, botId), 'samples'];
const pathOf = (projectId: string, botId: string) => `/admin/projects/${projectId}/bots/${botId}/samples`;

/** What marks of a sample go by. */
export function toSampleId(id: string): string {
  return `sample/${id}`;
}

export function useSamples(projectId: string, botId: string) {
  return useQuery({
    queryKey: samplesKey(projectId, botId),
    queryFn: ({ signal }) => api<Samples>(pathOf(projectId, botId), { signal }),
  });
}

/** A new one, or another in place of that with this id. */
export function useSaveSample(projectId: string, botId: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ id, sample }: { id?: string; sample: SampleChange }) =>
      id === undefined
        ? api<Pick<Sample, 'id'>>(pathOf(projectId, botId), { method: 'POST', body: sample })
        : api<Pick<Sample, 'id'>>(`${pathOf(projectId, botId)}/${id}`, { method: 'PUT', body: sample }),
    meta: { about: ({ id }: { id?: string }) => (id === undefined ? [] : [toSampleId(id)]) },
    onSuccess: () => cache.invalidateQueries({ queryKey: samplesKey(projectId, botId) }),
  });
}

export function useDeleteSample(projectId: string, botId: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api(`${pathOf(projectId, botId)}/${id}`, { method: 'DELETE' }),
    meta: { about: (id: string) => [toSampleId(id)] },
    onSettled: () => cache.invalidateQueries({ queryKey: samplesKey(projectId, botId) }),
  });
}

/** What a run would do and answer; nothing of it stays. */
export function useDryRun(projectId: string, botId: string) {
  return useMutation({
    mutationFn: (body: DryRunRequest) =>
      api<DryRun>(`/admin/projects/${projectId}/bots/${botId}/dry-run`, { method: 'POST', body }),
    gcTime: 0,
  });
}
