'use client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { MEMBER_STATUSES } from '#lib/protocol/answers/member-status.ts';
import { FACTOR_FILTERS } from '#lib/protocol/factors/answers.ts';
import { api } from '../api/api.ts';
import { nextPage } from '../api/next-page.ts';
import { keys } from '../api/query-keys.ts';
import type { Member, SearchSet } from '../api/types.ts';

export const MEMBER_TYPES = ['people', 'Practitioner', 'Patient', 'RelatedPerson', 'ClientApplication', 'Bot'] as const;
export const MEMBER_ROLES = ['any', 'admin', 'member'] as const;
export const MEMBER_STATES = ['any', ...MEMBER_STATUSES] as const;
export const MEMBER_FACTORS = ['all', ...FACTOR_FILTERS] as const;
export const MEMBER_SORTS = ['name', '-name', '-_lastUpdated', '_lastUpdated'] as const;
export const PAGE_SIZES = [20, 50, 100] as const;

/** What the members page shows, exactly as its URL says it. `page` counts from 1; `policy` is the id of an AccessPolicy or ''. */
export type MemberSearch = {
  type: (typeof MEMBER_TYPES)[number];
  role: (typeof MEMBER_ROLES)[number];
  status: (typeof MEMBER_STATES)[number];
  /** What they have beside a password. */
  factor: (typeof MEMBER_FACTORS)[number];
  policy: string;
  sort: (typeof MEMBER_SORTS)[number];
  q: string;
  page: number;
  size: (typeof PAGE_SIZES)[number];
};

/** `localUsers`: the references of the Users of these rows that belong to the project alone (scope project). */
export type MemberPage = {
  members: Member[];
  localUsers: Set<string>;
  total: number;
  /** The query of the page after this one. */
  next: string | undefined;
};

export function useMembers(projectId: string, search: MemberSearch) {
  const query = toMemberQuery(search);
  return useQuery({
    queryKey: keys.memberList(projectId, query),
    queryFn: ({ signal }) => findMembers(query, signal),
    placeholderData: keepPreviousData,
  });
}

/** One page of a FHIR search for ProjectMembership. */
export async function findMembers(query: string, signal?: AbortSignal): Promise<MemberPage> {
  const bundle = await api<SearchSet<Member | { resourceType: 'User'; id: string }>>(
    `/fhir/R4/ProjectMembership?${query}`,
    { signal },
  );
  const found = bundle.entry?.map((entry) => entry.resource) ?? [];
  const members = found.filter((resource) => resource.resourceType === 'ProjectMembership');
  // A User above projects is not a resource of this one: it is never included.
  const locals = found.filter((resource) => resource.resourceType === 'User').map(({ id }) => `User/${id}`);
  return {
    members,
    localUsers: new Set(locals),
    total: bundle.total ?? members.length,
    next: nextPage(bundle),
  };
}

/** The FHIR search behind a members view. */
export function toMemberQuery(search: MemberSearch): string {
  const params = new URLSearchParams(toMemberFilter(search));
  params.set('_sort', search.sort);
  params.set('_count', String(search.size));
  if (search.page > 1) params.set('_offset', String((search.page - 1) * search.size));
  params.set('_include', 'ProjectMembership:user');
  params.set('_total', 'accurate');
  return params.toString();
}

/** Only what decides who is in the view. Programs (clients, bots) only come when asked for. */
export function toMemberFilter(search: MemberSearch): string {
  const params = new URLSearchParams();
  if (search.type === 'people') params.set('profile-type:not', 'ClientApplication,Bot');
  else params.set('profile-type', search.type);
  if (search.role !== 'any') params.set('admin', String(search.role === 'admin'));
  if (search.status !== 'any') params.set('status', search.status);
  if (search.factor !== 'all') params.set('factor', search.factor);
  if (search.policy) params.set('access-policy', `AccessPolicy/${search.policy}`);
  const words = toNameFilter(search.q);
  if (words) params.set('name:contains', words);
  return params.toString();
}

/** In FHIR search "," separates alternatives and "\" escapes; what a person types is one value. */
export function toNameFilter(typed: string): string {
  return typed.trim().replace(/[\\,$|]/g, '\\$&');
}
