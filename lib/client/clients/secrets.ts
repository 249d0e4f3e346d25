'use client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ClientSecretRow, NewClientSecret } from '#lib/protocol/answers/clients.ts';
import { api } from '../api/api.ts';
import { keys } from '../api/query-keys.ts';

/** The named secrets of a client, the oldest first. */
export function useSecrets(projectId: string, clientId: string) {
  return useQuery({
    queryKey: keyOf(projectId, clientId),
    queryFn: async ({ signal }) => {
      const { rows } = await api<{ rows: ClientSecretRow[] }>(pathOf(projectId, clientId), { signal });
      return rows;
    },
  });
}

export function useAddSecret(projectId: string, clientId: string) {
  return useSecretWrite(projectId, clientId, (body: { name: string; expiresAt?: string }) =>
    api<NewClientSecret>(pathOf(projectId, clientId), { method: 'POST', body }),
  );
}

/** It works no longer, at once. */
export function useRemoveSecret(projectId: string, clientId: string) {
  return useSecretWrite(projectId, clientId, ({ id }: { id: string }) =>
    api(`${pathOf(projectId, clientId)}/${id}`, { method: 'DELETE' }),
  );
}

function pathOf(projectId: string, clientId: string): string {
  return `/admin/projects/${projectId}/clients/${clientId}/secrets`;
}

function keyOf(projectId: string, clientId: string) {
  return [...keys.clients(projectId), clientId, 'secrets'];
}

/** An input with an id is about that secret; without one, about its client. */
function useSecretWrite<Input extends object, Output>(
  projectId: string,
  clientId: string,
  mutationFn: (input: Input) => Promise<Output>,
) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn,
    meta: { about: (input: Input) => ['id' in input ? String(input.id) : clientId] },
    onSettled: () => cache.invalidateQueries({ queryKey: keyOf(projectId, clientId) }),
  });
}
