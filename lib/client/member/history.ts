'use client';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { api } from '../api/api.ts';
import { nextPage } from '../api/next-page.ts';
import { keys } from '../api/query-keys.ts';
import type { Member, SearchSet } from '../api/types.ts';

type HistoryEntry = {
  resource?: Member;
  request: { method: string };
  response: { etag: string; lastModified: string };
};

/** A history Bundle (FHIR R4, 3.1.0.11), newest first; a deletion has no resource. */
export type HistoryBundle = { link: { relation: string; url: string }[]; entry?: HistoryEntry[] };

/** What a membership was from `at` on. `member` is missing while it was removed. */
export type MemberVersion = {
  number: number;
  at: string;
  kind: 'made' | 'changed' | 'removed' | 'back';
  member?: Member;
  /** The version before; none for the first. */
  before?: Member;
  author?: string;
};

const PAGE = 50;

/** Every version of a membership, newest first, a page at a time. It is there for a removed one as well. */
export function useMemberHistory(projectId: string, membershipId: string) {
  return useInfiniteQuery({
    queryKey: [...keys.member(projectId, membershipId), 'history'],
    queryFn: ({ pageParam, signal }) =>
      api<HistoryBundle>(`/fhir/R4/ProjectMembership/${membershipId}/_history?${pageParam}`, { signal }),
    initialPageParam: `_count=${PAGE}`,
    getNextPageParam: nextPage,
    select: ({ pages }) => toVersions(pages),
  });
}

/** The oldest version of an incomplete history is left out: what it changed stands on the next page. */
export function toVersions(pages: readonly HistoryBundle[]): MemberVersion[] {
  const entries = pages.flatMap(({ entry = [] }) => entry);
  const complete = !pages.at(-1) || nextPage(pages.at(-1)!) === undefined;
  const versions = entries.map((entry, index) => toVersion(entry, entries[index + 1]));
  return complete ? versions : versions.slice(0, -1);
}

function toVersion({ resource, request, response }: HistoryEntry, older: HistoryEntry | undefined): MemberVersion {
  return {
    number: Number(/\d+/.exec(response.etag)?.[0]),
    at: response.lastModified,
    kind: !resource ? 'removed' : request.method === 'POST' ? 'made' : older && !older.resource ? 'back' : 'changed',
    member: resource,
    before: older?.resource,
    author: resource?.meta?.author?.reference,
  };
}

/** Who the authors are, by reference, as far as they are members. */
export function useAuthorNames(projectId: string, authors: readonly string[]) {
  const profiles = [...new Set(authors)].sort().join(',');
  return useQuery({
    queryKey: [...keys.members(projectId), 'authors', profiles],
    enabled: profiles !== '',
    queryFn: async ({ signal }) => {
      const search = `profile=${encodeURIComponent(profiles)}&_elements=profile&_count=200`;
      const { entry = [] } = await api<SearchSet<Member>>(`/fhir/R4/ProjectMembership?${search}`, {
        signal,
      });
      return new Map(entry.map(({ resource: { profile } }) => [profile.reference, profile.display]));
    },
  });
}
