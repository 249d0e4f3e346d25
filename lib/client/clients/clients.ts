'use client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ClientList } from '#lib/protocol/answers/clients.ts';
import { api } from '../api/api.ts';
import { keys } from '../api/query-keys.ts';

/** Id and secret, as they are told once. */
export type ClientSecret = { id: string; name: string; secret: string };

export type NewClient = {
  name: string;
  description?: string;
  accessPolicy?: { reference: string };
  grantType: string[];
  redirectUris?: string[];
};

export function useClients(projectId: string) {
  return useQuery({
    queryKey: keys.clients(projectId),
    queryFn: ({ signal }) => api<ClientList>(`/admin/projects/${projectId}/clients`, { signal }),
  });
}

export function useCreateClient(projectId: string) {
  return useClientWrite(projectId, async (body: NewClient): Promise<ClientSecret> => {
    const client = await api<ClientSecret>(`/admin/projects/${projectId}/client`, { method: 'POST', body });
    return { id: client.id, name: body.name, secret: client.secret };
  });
}

/** Turning a client off ends its tokens at once. */
export function useSwitchClient(projectId: string) {
  return useClientWrite(projectId, ({ id, on }: { id: string; on: boolean }) =>
    api(`/admin/projects/${projectId}/clients/${id}/${on ? 'enable' : 'disable'}`, { method: 'POST', body: {} }),
  );
}

/** It, its secret and its membership: its tokens end at once. */
export function useDeleteClient(projectId: string) {
  return useClientWrite(projectId, ({ id }: { id: string }) =>
    api(`/fhir/R4/ClientApplication/${id}`, { method: 'DELETE' }),
  );
}

/** The secret before the last rotation stops working. */
export function useDropSecret(projectId: string) {
  return useClientWrite(projectId, ({ id }: { id: string }) =>
    api(`/admin/projects/${projectId}/clients/${id}/dropsecret`, { method: 'POST', body: {} }),
  );
}

/** A new secret; the old one goes on working until it is dropped or replaced. */
export function useRotateSecret(projectId: string) {
  return useClientWrite(projectId, async ({ id, name }: { id: string; name: string }): Promise<ClientSecret> => {
    const client = await api<{ secret: string }>(`/fhir/R4/ClientApplication/${id}/$rotate-secret`, {
      method: 'POST',
      contentType: 'application/fhir+json',
      body: { resourceType: 'Parameters' },
    });
    return { id, name, secret: client.secret };
  });
}

/** An input with an id is about that client; without one, it makes one. */
function useClientWrite<Input extends object, Output>(
  projectId: string,
  mutationFn: (input: Input) => Promise<Output>,
) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn,
    meta: { about: (input: Input) => ('id' in input ? [String(input.id)] : []) },
    onSettled: () => cache.invalidateQueries({ queryKey: keys.clients(projectId) }),
  });
}
