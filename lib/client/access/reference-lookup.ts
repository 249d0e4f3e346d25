'use client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { HumanName } from 'fhir/r4';
import type { ProjectMembership } from '#lib/protocol/fhir/types.ts';
import { api } from '../api/api.ts';
import { keys } from '../api/query-keys.ts';
import type { SearchSet } from '../api/types.ts';

export type FoundReference = { reference: string; name: string; detail?: string };

type FoundRecord = { resourceType: string; id: string; name?: HumanName[]; birthDate?: string };
type FoundMember = ProjectMembership & { id: string };

/** Patients, practitioners or related persons whose name begins with `words`, or memberships whose name has them. */
export function useReferenceLookup(projectId: string, type: string, words: string) {
  const isMember = type === 'ProjectMembership';
  const query = new URLSearchParams({
    [isMember ? 'name:contains' : 'name']: words.trim().replace(/[\\,$|]/g, '\\$&'),
    _count: '8',
  });
  return useQuery({
    queryKey: [...keys.project(projectId), 'lookup', type, words],
    enabled: words.trim().length > 1,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<FoundReference[]> => {
      const bundle = await api<SearchSet<FoundRecord | FoundMember>>(`/fhir/R4/${type}?${query}`, { signal });
      return (bundle.entry ?? []).map(({ resource }) => ({
        reference: `${type}/${resource.id}`,
        ...('project' in resource ? ofMember(resource) : ofRecord(resource)),
      }));
    },
  });
}

/** How a membership ("ProjectMembership/id", or '') is named. */
export function useMemberName(projectId: string, reference: string) {
  return useQuery({
    queryKey: [...keys.members(projectId), 'name', reference],
    enabled: reference !== '',
    queryFn: async ({ signal }) => ofMember(await api<FoundMember>(`/fhir/R4/${reference}`, { signal })).name,
  });
}

function ofRecord({ id, name, birthDate }: FoundRecord) {
  return { name: toText(name?.[0]) || id, detail: birthDate };
}

function ofMember({ profile, user }: FoundMember) {
  return { name: profile?.display ?? user?.display ?? 'Unnamed', detail: profile?.reference?.split('/')[0] };
}

function toText(name: HumanName | undefined): string {
  return name?.text ?? [...(name?.given ?? []), name?.family].filter(Boolean).join(' ');
}
