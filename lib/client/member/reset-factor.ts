'use client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { FactorMethod } from '#lib/protocol/factors/answers.ts';
import { api } from '../api/api.ts';
import { keys } from '../api/query-keys.ts';

/** Takes a member's second factor away. 409 where other projects know the person. */
export function useResetFactor(projectId: string, membershipId: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (method: FactorMethod) =>
      api(`/admin/projects/${projectId}/members/${membershipId}/mfa/reset`, { method: 'POST', body: { method } }),
    meta: { about: () => [membershipId] },
    onSuccess: () => cache.invalidateQueries({ queryKey: keys.members(projectId) }),
  });
}
