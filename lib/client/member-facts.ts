'use client';
import { useQuery } from '@tanstack/react-query';
import { api } from './api.ts';
import { keys } from './query-keys.ts';

/** What is known of a membership besides its resource. Times are instants; `lastActiveAt` is the newest sign-in or renewal in this project. */
export type MemberFact = {
  membershipId: string;
  joinedAt: string | null;
  lastActiveAt: string | null;
  scope: 'project' | 'server' | null;
  activeSessions: number;
};

/** How many memberships one request may ask for. */
export const MOST_FACTS = 200;

/** By membership. */
export function useMemberFacts(projectId: string, membershipIds: readonly string[]) {
  return useQuery({
    queryKey: [...keys.members(projectId), 'facts', membershipIds.join(',')],
    enabled: membershipIds.length > 0,
    queryFn: ({ signal }) => findMemberFacts(projectId, membershipIds, signal),
  });
}

/** At most MOST_FACTS at once. */
export async function findMemberFacts(
  projectId: string,
  membershipIds: readonly string[],
  signal?: AbortSignal,
): Promise<Map<string, MemberFact>> {
  const path = `/admin/projects/${projectId}/member-facts?membership=${membershipIds.join(',')}`;
  const { rows } = await api<{ rows: MemberFact[] }>(path, { signal });
  return new Map(rows.map((row) => [row.membershipId, row]));
}
