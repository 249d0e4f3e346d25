'use client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { FactorMethod } from '#lib/protocol/factors/answers.ts';
import { api } from '../api/api.ts';
import { keys } from '../api/query-keys.ts';

/** Takes a member's second factor away, or all their passkeys: true where it waits. 409 where other projects know the person. */
export function useResetFactor(projectId: string, membershipId: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: async (what: FactorMethod | 'passkeys') => {
      const outcome = await api<{ id?: string }>(`/admin/projects/${projectId}/members/${membershipId}/mfa/reset`, {
        method: 'POST',
        body: what === 'passkeys' ? { passkeys: true } : { method: what },
      });
      return outcome?.id === 'accepted';
    },
    meta: { about: () => [membershipId] },
    onSuccess: () => cache.invalidateQueries({ queryKey: keys.members(projectId) }),
  });
}
