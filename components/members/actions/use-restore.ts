'use client';
import { useQueryClient } from '@tanstack/react-query';
import { toast } from '#components/ui/feedback/toast.tsx';
import type { Member } from '#lib/client/api/types.ts';
import { refreshMembers } from '#lib/client/members/refresh-members.ts';
import { attempt } from './attempt.ts';

/** The ways back to an earlier version of a member. */
export function useRestore(projectId: string) {
  const queries = useQueryClient();
  const refresh = () => refreshMembers(queries, projectId);

  /** Role, status and access as they were in an earlier version. */
  async function restore(member: Member, version: number): Promise<void> {
    const { undoMember } = await import('#lib/client/member/change-member.ts');
    const seen = member.meta?.versionId;
    const saved = await undoMember(projectId, member.id, version, seen);
    await refresh();
    const undo = async () => {
      await undoMember(projectId, member.id, Number(seen), saved.meta?.versionId);
      await refresh();
      toast({ title: 'Undone' });
    };
    toast({ title: `As in version ${version} again`, undo: () => void attempt(member.id, undo, refresh) });
  }

  /** Somebody who was removed, as they were in that version. */
  async function bringBack(membershipId: string, version: number): Promise<void> {
    const { undoMember } = await import('#lib/client/member/change-member.ts');
    await undoMember(projectId, membershipId, version);
    await refresh();
    toast({ title: 'The member is back' });
  }

  return { restore, bringBack };
}
