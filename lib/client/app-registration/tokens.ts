'use client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { NewRegistrationTokenAnswer, RegistrationTokenRow } from '#lib/protocol/answers/clients.ts';
import { api } from '../api/api.ts';
import { keys } from '../api/query-keys.ts';

/** By which apps register themselves, the newest first. */
export function useRegistrationTokens(projectId: string) {
  return useQuery({
    queryKey: keyOf(projectId),
    queryFn: async ({ signal }) => {
      const { rows } = await api<{ rows: RegistrationTokenRow[] }>(pathOf(projectId), { signal });
      return rows;
    },
  });
}

export function useAddRegistrationToken(projectId: string) {
  return useWrite(projectId, (body: { name: string; days: number; most: number }) =>
    api<NewRegistrationTokenAnswer>(pathOf(projectId), { method: 'POST', body }),
  );
}

/** Nobody registers with it any more; who has stays. */
export function useRevokeRegistrationToken(projectId: string) {
  return useWrite(projectId, ({ id }: { id: string }) => api(`${pathOf(projectId)}/${id}`, { method: 'DELETE' }));
}

function pathOf(projectId: string): string {
  return `/admin/projects/${projectId}/registrationtokens`;
}

function keyOf(projectId: string) {
  return [...keys.settings(projectId), 'registration-tokens'];
}

/** An input with an id is about that token; without one, it makes one. */
function useWrite<Input extends object, Output>(projectId: string, mutationFn: (input: Input) => Promise<Output>) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn,
    meta: { about: (input: Input) => ('id' in input ? [String(input.id)] : []) },
    onSettled: () => cache.invalidateQueries({ queryKey: keyOf(projectId) }),
  });
}
