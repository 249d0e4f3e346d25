import type { QueryClient } from '@tanstack/react-query';
import type { Member } from '../api/types.ts';
import { patchMember } from '../member/change-member.ts';
import type { MemberChange } from '../member/member.ts';
import { showChange } from './show-change.ts';

/** Changes a member, seen at once; taken back when the server refuses, or does not answer. Throws as `patchMember` does. */
export async function saveChange(
  queries: QueryClient,
  projectId: string,
  base: Member,
  change: MemberChange,
  force?: boolean,
): Promise<Member> {
  const takeBack = await showChange(queries, projectId, base.id, change);
  try {
    return await patchMember(projectId, base, change, force);
  } catch (error) {
    takeBack();
    throw error;
  }
}
