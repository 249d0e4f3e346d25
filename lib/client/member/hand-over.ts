'use client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../api/api.ts';
import type { ApiCall } from '../api/code-samples.ts';
import { keys } from '../api/query-keys.ts';

/** Makes another administrator the owner of the project; the lists know it before this ends. */
export function useHandOver(projectId: string, membership: string) {
  const queries = useQueryClient();
  return useMutation({
    meta: { about: () => [membership] },
    mutationFn: async () => {
      const { path, body } = toHandOverCall(projectId, membership);
      await api(path, { method: 'POST', body });
      await Promise.all([
        queries.invalidateQueries({ queryKey: keys.facts(projectId) }),
        queries.invalidateQueries({ queryKey: keys.settings(projectId) }),
      ]);
    },
  });
}

/** The request, to show it as code. */
export function toHandOverCall(projectId: string, membership: string): ApiCall & { body: object } {
  return { method: 'POST', path: `/admin/projects/${projectId}/owner`, body: { membership } };
}
