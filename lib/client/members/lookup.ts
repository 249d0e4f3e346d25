'use client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { api } from '../api/api.ts';
import { keys } from '../api/query-keys.ts';
import type { Member, SearchSet } from '../api/types.ts';
import { toNameFilter } from './members.ts';

/** A member by name. `profile` is a reference such as "Bot/id". */
export type FoundMember = { id: string; name: string; email?: string; profile: string };

const MOST = 8;

/** People, bots and clients whose name or e-mail contains `words`; asked only when there are any. */
export function useMemberLookup(projectId: string, words: string) {
  const query = new URLSearchParams({ 'name:contains': toNameFilter(words), _sort: 'name', _count: String(MOST) });
  return useQuery({
    queryKey: [...keys.members(projectId), 'lookup', words],
    enabled: words.length > 1,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<FoundMember[]> => {
      const bundle = await api<SearchSet<Member>>(`/fhir/R4/ProjectMembership?${query}`, { signal });
      return (bundle.entry ?? []).map(({ resource: { id, profile, user } }) => ({
        id,
        name: profile.display ?? user.display ?? id,
        email: user.reference?.startsWith('User/') ? user.display : undefined,
        profile: profile.reference ?? '',
      }));
    },
  });
}
