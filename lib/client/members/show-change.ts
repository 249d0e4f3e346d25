import type { QueryClient } from '@tanstack/react-query';
import { keys } from '../api/query-keys.ts';
import type { Member } from '../api/types.ts';
import type { MemberChange } from '../member/member.ts';
import type { MemberPage } from './members.ts';

/** Shows a change of a member in every list and on their page before the server has answered. Returns the way back. */
export async function showChange(
  queries: QueryClient,
  projectId: string,
  membershipId: string,
  change: MemberChange,
): Promise<() => void> {
  const lists = { queryKey: keys.memberLists(projectId) };
  const one = { queryKey: keys.member(projectId, membershipId), exact: true };
  // An answer on its way tells of before the change.
  await Promise.all([queries.cancelQueries(lists), queries.cancelQueries(one)]);
  const before = [...queries.getQueriesData(lists), ...queries.getQueriesData(one)];
  const put = (member: Member) => (member.id === membershipId ? { ...member, ...change } : member);
  queries.setQueriesData<MemberPage>(lists, (page) => page && { ...page, members: page.members.map(put) });
  queries.setQueriesData<Member>(one, (member) => member && put(member));
  return () => {
    for (const [key, data] of before) queries.setQueryData(key, data);
  };
}
