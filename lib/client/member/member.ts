'use client';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { api } from '../api/api.ts';
import { keys } from '../api/query-keys.ts';
import type { Member } from '../api/types.ts';

export function useMember(projectId: string, membershipId: string) {
  return useQuery(memberQuery(projectId, membershipId));
}

export function memberQuery(projectId: string, membershipId: string) {
  return queryOptions({
    queryKey: keys.member(projectId, membershipId),
    queryFn: ({ signal }) => readMember(projectId, membershipId, signal),
  });
}

export async function readMember(projectId: string, membershipId: string, signal?: AbortSignal): Promise<Member> {
  return api<Member>(toMemberPath(projectId, membershipId), { signal });
}

/** What an administrator decides about a member. */
export type MemberChange = Partial<
  Pick<Member, 'admin' | 'active' | 'accessPolicy' | 'access' | 'signInWays' | 'period' | 'suspendedUntil'>
>;

export function toMemberPath(projectId: string, membershipId: string): string {
  return `/admin/projects/${projectId}/members/${membershipId}`;
}
