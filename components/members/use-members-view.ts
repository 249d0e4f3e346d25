'use client';
import { usePolicies } from '#lib/client/access/policies.ts';
import { useProjectFacts } from '#lib/client/frame/project-facts.ts';
import { useMemberFacts } from '#lib/client/members/facts.ts';
import { useMembers } from '#lib/client/members/members.ts';
import type { MemberContext } from './facts.ts';
import { useMemberSearch } from './use-member-search.ts';

export type MembersView = ReturnType<typeof useMembersView>;

/** The page of members that the URL names, with what stands beside each of them, and which of that could not be learnt. */
export function useMembersView(projectId: string) {
  const { search, change, clear, filtered } = useMemberSearch();
  const members = useMembers(projectId, search);
  const policies = usePolicies(projectId);
  const ids = members.data?.members.map(({ id }) => id) ?? [];
  const facts = useMemberFacts(projectId, ids);
  const project = useProjectFacts(projectId);
  const policyNames = new Map(policies.data?.map(({ reference, name }) => [reference, name]));
  const context: MemberContext = {
    localUsers: members.data?.localUsers,
    owner: project.owner,
    facts: facts.data ?? (facts.error ? null : undefined),
    policyNames,
  };
  return {
    search,
    change,
    clear,
    filtered,
    page: members.data,
    ids,
    /** The rows belong to the view before this one. */
    stale: members.isPlaceholderData,
    /** Why there is no page at all. */
    refused: members.data ? undefined : (members.error ?? undefined),
    retry: () => void members.refetch(),
    policies: policies.data ?? [],
    project,
    context,
    missing: [facts, policies].filter(({ error, data }) => error && !data),
  };
}
