'use client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { HumanName } from 'fhir/r4';
import { api } from '../api/api.ts';
import { keys } from '../api/query-keys.ts';
import type { SearchSet } from '../api/types.ts';

export type FoundReference = { reference: string; name: string; detail?: string };

type FoundRecord = { resourceType: string; id: string; name?: HumanName[]; birthDate?: string };

/** Patients, practitioners or related persons whose name begins with `words`. */
export function useReferenceLookup(projectId: string, type: string, words: string) {
  const query = new URLSearchParams({ name: words.trim().replace(/[\\,$|]/g, '\\$&'), _count: '8' });
  return useQuery({
    queryKey: [...keys.project(projectId), 'lookup', type, words],
    enabled: words.trim().length > 1,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<FoundReference[]> => {
      const bundle = await api<SearchSet<FoundRecord>>(`/fhir/R4/${type}?${query}`, { signal });
      return (bundle.entry ?? []).map(({ resource: { id, name, birthDate } }) => ({
        reference: `${type}/${id}`,
        name: toText(name?.[0]) || id,
        detail: birthDate,
      }));
    },
  });
}

function toText(name: HumanName | undefined): string {
  return name?.text ?? [...(name?.given ?? []), name?.family].filter(Boolean).join(' ');
}
