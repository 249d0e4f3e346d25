'use client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { NewScimToken, ScimConnectionList, ScimRequestRow } from '#lib/protocol/answers/scim-connections.ts';
import { api } from '../api/api.ts';
import { keys } from '../api/query-keys.ts';

/** A token, as it is told once. */
export type ToldToken = NewScimToken & { name: string };

export function useConnections(projectId: string) {
  return useQuery({
    queryKey: keys.directories(projectId),
    queryFn: ({ signal }) => api<ScimConnectionList>(pathOf(projectId), { signal }),
  });
}

/** The last ones, newest first. */
export function useScimRequests(projectId: string, id: string) {
  return useQuery({
    queryKey: [...keys.directories(projectId), id, 'requests'],
    queryFn: async ({ signal }) => {
      const { rows } = await api<{ rows: ScimRequestRow[] }>(`${pathOf(projectId)}/${id}/requests`, { signal });
      return rows;
    },
  });
}

type Wanted = { name: string; sendEmail: boolean };

export function useConnect(projectId: string) {
  return useWrite(projectId, async ({ name, sendEmail }: Wanted): Promise<ToldToken> => {
    const body = { name: name.trim(), sendEmail };
    return { name: body.name, ...(await api<NewScimToken>(pathOf(projectId), { method: 'POST', body })) };
  });
}

export function useEditConnection(projectId: string) {
  return useWrite(projectId, ({ id, ...body }: Wanted & { id: string }) =>
    api(`${pathOf(projectId)}/${id}`, { method: 'PATCH', body }),
  );
}

/** Its tokens stop at once; its members stay. */
export function useDisconnect(projectId: string) {
  return useWrite(projectId, ({ id }: { id: string }) => api(`${pathOf(projectId)}/${id}`, { method: 'DELETE' }));
}

/** A further one: those before go on working. */
export function useAddToken(projectId: string) {
  return useWrite(projectId, async ({ id, name }: { id: string; name: string }): Promise<ToldToken> => {
    return { name, ...(await api<NewScimToken>(`${pathOf(projectId)}/${id}/tokens`, { method: 'POST' })) };
  });
}

export function useRevokeToken(projectId: string) {
  return useWrite(projectId, ({ id, tokenId }: { id: string; tokenId: string }) =>
    api(`${pathOf(projectId)}/${id}/tokens/${tokenId}`, { method: 'DELETE' }),
  );
}

function pathOf(projectId: string): string {
  return `/admin/projects/${projectId}/scim`;
}

/** An input with an id is about that connection; without one, it makes one. */
function useWrite<Input extends object, Output>(projectId: string, mutationFn: (input: Input) => Promise<Output>) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn,
    meta: { about: (input: Input) => ('id' in input ? [String(input.id)] : []) },
    onSettled: () => cache.invalidateQueries({ queryKey: keys.directories(projectId) }),
  });
}
