'use client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { StartedLaunch } from '#lib/protocol/answers/authorization.ts';
import type { ClientRequests } from '#lib/protocol/answers/clients.ts';
import type { ClientApplication } from '#lib/protocol/fhir/client-types.ts';
import type { Stored } from '#lib/protocol/fhir/types.ts';
import { api } from '../api/api.ts';
import { keys } from '../api/query-keys.ts';

export type StoredClient = Stored<ClientApplication>;

/** The client itself, as it is stored. */
export function useClient(projectId: string, id: string) {
  return useQuery({
    queryKey: keyOf(projectId, id),
    queryFn: ({ signal }) => api<StoredClient>(`/fhir/R4/ClientApplication/${id}`, { signal }),
  });
}

/** What a form changes of it; what is empty is taken out. 412 when somebody else has changed it since. */
export function useSaveClient(projectId: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ client, edit }: { client: StoredClient; edit: Partial<ClientApplication> }) =>
      api<StoredClient>(`/fhir/R4/ClientApplication/${client.id}`, {
        method: 'PATCH',
        contentType: 'application/json-patch+json',
        body: toPatch(client, edit),
        ifMatch: client.meta?.versionId,
      }),
    meta: { about: ({ client }: { client: StoredClient }) => [client.id] },
    onSettled: () => cache.invalidateQueries({ queryKey: keys.clients(projectId) }),
  });
}

function toPatch(client: StoredClient, edit: Partial<ClientApplication>) {
  return Object.entries(edit).flatMap(([name, value]) => {
    const path = `/${name}`;
    const before = client[name as keyof ClientApplication];
    const isEmpty = value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
    if (isEmpty) return before === undefined ? [] : [{ op: 'remove', path }];
    return JSON.stringify(before) === JSON.stringify(value) ? [] : [{ op: 'add', path, value }];
  });
}

/** What it asked last. */
export function useClientRequests(projectId: string, id: string, failed: boolean) {
  return useQuery({
    queryKey: [...keyOf(projectId, id), 'requests', failed],
    queryFn: ({ signal }) =>
      api<ClientRequests>(`/admin/projects/${projectId}/clients/${id}/requests${failed ? '?status=failed' : ''}`, {
        signal,
      }),
  });
}

/** Opens an app about a patient, for whoever presses. */
export function useLaunch() {
  return useMutation({
    mutationFn: (body: { clientId: string; patient: string }) =>
      api<StartedLaunch>('/auth/launch', { method: 'POST', body }),
  });
}

function keyOf(projectId: string, id: string) {
  return [...keys.clients(projectId), id];
}
