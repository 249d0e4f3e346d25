'use client';
import { useQuery } from '@tanstack/react-query';
import { api } from '../api/api.ts';
import { keys } from '../api/query-keys.ts';
import type { SearchSet } from '../api/types.ts';

export type PolicyChoice = { reference: string; name: string };

/** The access policies of a project by name, for choosing one. */
export function usePolicies(projectId: string) {
  return useQuery({
    queryKey: keys.policies(projectId),
    queryFn: async ({ signal }): Promise<PolicyChoice[]> => {
      const found = await api<SearchSet<{ id: string; name?: string }>>(
        '/fhir/R4/AccessPolicy?_count=1000&_fields=name&_sort=name',
        { signal },
      );
      return (found.entry ?? []).map(({ resource: { id, name } }) => ({
        reference: `AccessPolicy/${id}`,
        name: name ?? id,
      }));
    },
    staleTime: 60_000,
  });
}
