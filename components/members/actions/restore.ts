import { toast } from '#components/ui/feedback/toast.tsx';
import type { Member } from '#lib/client/api/types.ts';
import { undoMember } from '#lib/client/member/change-member.ts';
import { attempt } from './attempt.ts';

type Context = { projectId: string; refresh: () => Promise<void> };

/** Role, status and access as they were in an earlier version. */
export async function restoreMember({ projectId, refresh }: Context, member: Member, version: number): Promise<void> {
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
export async function bringBackMember({ projectId, refresh }: Context, id: string, version: number): Promise<void> {
  await undoMember(projectId, id, version);
  await refresh();
  toast({ title: 'The member is back' });
}
