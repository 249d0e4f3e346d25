'use client';
import { useQuery } from '@tanstack/react-query';
import type { MemberFact, MemberFactList } from '#lib/protocol/answers/member-facts.ts';
import { api } from '../api/api.ts';
import { keys } from '../api/query-keys.ts';

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
  const { rows } = await api<MemberFactList>(path, { signal });
  return new Map(rows.map((row) => [row.membershipId, row]));
}
