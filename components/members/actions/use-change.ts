'use client';
import { useQueryClient } from '@tanstack/react-query';
import { toast } from '#components/ui/feedback/toast.tsx';
import { ApiError } from '#lib/client/api/api-error.ts';
import type { Member } from '#lib/client/api/types.ts';
import { type MemberChange, readMember } from '#lib/client/member/member.ts';
import { refreshMembers } from '#lib/client/members/refresh-members.ts';
import { saveChange } from '#lib/client/members/save-change.ts';
import type { MemberConflict } from '../merge/merge-member.ts';
import { attempt, unlessRemoved } from './attempt.ts';

export type ChangeOptions = {
  /** The administrator means to give up rights of their own. */
  force?: boolean;
  /** Saved, or given up for the other's version: a draft of it is no longer needed. */
  onSettled?: () => void;
};

/**
 * Changes role, status or access of a member, with Undo. `self`: the administrator's own membership. `onConflict`: somebody else changed the
 * member meanwhile, to something else.
 */
export function useChange(
  projectId: string,
  self: string | undefined,
  onConflict: (conflict: MemberConflict, onSettled?: () => void) => void,
) {
  const queries = useQueryClient();
  const refresh = () => refreshMembers(queries, projectId);

  async function change(base: Member, wanted: MemberChange, said: string, options: ChangeOptions = {}) {
    try {
      const saved = await saveChange(queries, projectId, base, wanted, options.force);
      options.onSettled?.();
      await refresh();
      if (base.id === self) return window.location.reload();
      const { toInverse } = await import('#lib/client/member/change-member.ts');
      const undo = () => unlessRemoved(() => takeBack(saved, toInverse(base, wanted)), refresh);
      toast({ title: said, undo: () => void attempt(base.id, undo, refresh) });
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 412)) throw error;
      await compare(base, wanted, options.onSettled);
    }
  }

  async function takeBack(saved: Member, inverse: MemberChange) {
    await saveChange(queries, projectId, saved, inverse);
    await refresh();
    toast({ title: 'Undone' });
  }

  /** Somebody was faster: a conflict, unless they made the same change. */
  async function compare(base: Member, wanted: MemberChange, onSettled?: () => void) {
    const [theirs, { isAlreadySo }] = await Promise.all([
      readMember(projectId, base.id),
      import('../merge/merge-member.ts'),
    ]);
    if (!isAlreadySo(base, wanted, theirs)) return onConflict({ base, change: wanted, theirs }, onSettled);
    onSettled?.();
    await refresh();
    toast({ title: 'Already so', description: 'Somebody else has made the same change.' });
  }

  return change;
}
