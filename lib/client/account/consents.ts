'use client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { OwnConsent } from '#lib/protocol/answers/authorization.ts';
import { api } from '../api/api.ts';
import { keys } from '../api/query-keys.ts';

/** The apps that the person has let in, in all projects. */
export function useConsents() {
  return useQuery({
    queryKey: keys.consents,
    queryFn: ({ signal }) => api<{ consents: OwnConsent[] }>('/auth/consents', { signal }),
    select: (answer) => answer.consents,
  });
}

export function useWithdrawConsent() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (clientId: string) => api(`/auth/consents/${clientId}`, { method: 'DELETE' }),
    meta: { about: (clientId: string) => [clientId] },
    onSettled: () => Promise.all([keys.consents, keys.me].map((queryKey) => cache.invalidateQueries({ queryKey }))),
  });
}
