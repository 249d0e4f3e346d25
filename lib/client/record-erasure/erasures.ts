'use client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ErasurePreview, RecordErasure, RecordErasures } from '#lib/protocol/record-erasure/answers.ts';
import type { RecordErasureRequest } from '#lib/protocol/record-erasure/requests.ts';
import { api } from '../api/api.ts';
import { keys } from '../api/query-keys.ts';

const POLL_MS = 1000;

/** What an erasure of this patient's record would take. Nothing is asked before one is named. */
export function useErasurePreview(projectId: string, patientId: string) {
  return useQuery({
    queryKey: [...keys.recordErasures(projectId), 'preview', patientId],
    enabled: patientId !== '',
    queryFn: ({ signal }) => api<ErasurePreview>(toPath(projectId, patientId), { signal }),
    retry: false,
  });
}

/** The newest; followed closely while one is under way. */
export function useErasures(projectId: string) {
  return useQuery({
    queryKey: [...keys.recordErasures(projectId), 'list'],
    queryFn: async ({ signal }) =>
      (await api<RecordErasures>(`/admin/projects/${projectId}/erasures`, { signal })).rows,
    refetchInterval: ({ state }) => (state.data?.some(({ state: at }) => at !== 'done') ? POLL_MS : false),
  });
}

export function useAskErasure(projectId: string, patientId: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (body: RecordErasureRequest) =>
      api<RecordErasure>(toPath(projectId, patientId), { method: 'POST', body }),
    onSettled: () => cache.invalidateQueries({ queryKey: keys.recordErasures(projectId) }),
  });
}

function toPath(projectId: string, patientId: string): string {
  return `/admin/projects/${projectId}/patients/${encodeURIComponent(patientId)}/erasure`;
}
