'use client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ScimGroupList } from '#lib/protocol/answers/scim-connections.ts';
import type { AccessEntry } from '#lib/protocol/fhir/types.ts';
import { api } from '../api/api.ts';
import { keys } from '../api/query-keys.ts';

/** The groups of a directory with what they give, by name. */
export function useScimGroups(projectId: string, connectionId: string) {
  return useQuery({
    queryKey: [...keys.directories(projectId), connectionId, 'groups'],
    queryFn: ({ signal }) => api<ScimGroupList>(pathOf(projectId, connectionId), { signal }),
  });
}

type Mapping = { id: string; admin: boolean; access: AccessEntry[] };

/** What a group gives from now on. The rights of members change with it. */
export function useMapGroup(projectId: string, connectionId: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ id, ...body }: Mapping) => api(`${pathOf(projectId, connectionId)}/${id}`, { method: 'PUT', body }),
    meta: { about: ({ id }: Mapping) => [id] },
    onSettled: () =>
      Promise.all(
        [keys.directories(projectId), keys.members(projectId)].map((queryKey) => cache.invalidateQueries({ queryKey })),
      ),
  });
}

function pathOf(projectId: string, connectionId: string): string {
  return `/admin/projects/${projectId}/scim/${connectionId}/groups`;
}
