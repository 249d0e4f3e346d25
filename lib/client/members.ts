'use client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api } from './api.ts';
import { keys } from './query-keys.ts';
import type { ProjectMembership, SearchSet } from './types.ts';

export const MEMBER_TYPES = ['people', 'Practitioner', 'Patient', 'RelatedPerson', 'ClientApplication', 'Bot'] as const;
export const MEMBER_ROLES = ['any', 'admin', 'member'] as const;
export const MEMBER_STATES = ['any', 'active', 'inactive'] as const;
export const MEMBER_SORTS = ['name', '-name', '-_lastUpdated', '_lastUpdated'] as const;
export const PAGE_SIZES = [20, 50, 100] as const;

/** What the members page shows, exactly as its URL says it. `page` counts from 1. */
export type MemberSearch = {
  type: (typeof MEMBER_TYPES)[number];
  role: (typeof MEMBER_ROLES)[number];
  status: (typeof MEMBER_STATES)[number];
  sort: (typeof MEMBER_SORTS)[number];
  q: string;
  page: number;
  size: (typeof PAGE_SIZES)[number];
};

export type MemberPage = { members: ProjectMembership[]; total: number };

export function useMembers(projectId: string, search: MemberSearch) {
  const query = toMemberQuery(search);
  return useQuery({
    queryKey: keys.memberList(projectId, query),
    queryFn: async ({ signal }): Promise<MemberPage> => {
      const bundle = await api<SearchSet<ProjectMembership>>(`/fhir/R4/ProjectMembership?${query}`, { signal });
      const members = bundle.entry?.map((entry) => entry.resource) ?? [];
      return { members, total: bundle.total ?? members.length };
    },
    placeholderData: keepPreviousData,
  });
}

/** The FHIR search behind a members view. Programs (clients, bots) only come when asked for. */
export function toMemberQuery(search: MemberSearch): string {
  const params = new URLSearchParams();
  if (search.type === 'people') params.set('profile-type:not', 'ClientApplication,Bot');
  else params.set('profile-type', search.type);
  if (search.role !== 'any') params.set('admin', String(search.role === 'admin'));
  if (search.status !== 'any') params.set('active', String(search.status === 'active'));
  // In FHIR search "," separates alternatives and "\" escapes; what a person types is one value.
  const words = search.q.trim().replace(/[\\,$|]/g, '\\$&');
  if (words) params.set('name:contains', words);
  params.set('_sort', search.sort);
  params.set('_count', String(search.size));
  if (search.page > 1) params.set('_offset', String((search.page - 1) * search.size));
  params.set('_total', 'accurate');
  return params.toString();
}
