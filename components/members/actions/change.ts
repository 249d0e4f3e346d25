import type { QueryClient } from '@tanstack/react-query';
import { toast } from '#components/ui/feedback/toast.tsx';
import { ApiError } from '#lib/client/api/api-error.ts';
import type { Member } from '#lib/client/api/types.ts';
import { toInverse } from '#lib/client/member/change-member.ts';
import { type MemberChange, readMember } from '#lib/client/member/member.ts';
import { saveChange } from '#lib/client/members/save-change.ts';
import { isAlreadySo, type MemberConflict } from '../merge/merge-member.ts';
import { attempt } from './attempt.ts';
import { unlessRemoved } from './unless-removed.ts';

export type ChangeOptions = {
  /** The administrator means to give up rights of their own. */
  force?: boolean;
  /** Saved, or given up for the other's version: a draft of it is no longer needed. */
  onSettled?: () => void;
};

/** `self`: the administrator's own membership. `onConflict`: somebody else changed the member meanwhile, to something else. */
export type ChangeContext = {
  queries: QueryClient;
  projectId: string;
  self: string | undefined;
  refresh: () => Promise<void>;
  onConflict: (conflict: MemberConflict, onSettled?: () => void) => void;
};

type Change = [context: ChangeContext, base: Member, wanted: MemberChange, said: string, options?: ChangeOptions];

/** Changes role, status or access of a member, with Undo; that somebody has removed them meanwhile is said. */
export function changeMember(...of: Change): Promise<void> {
  return unlessRemoved(() => change(...of), of[0].refresh);
}

async function change(...[context, base, wanted, said, { force, onSettled } = {}]: Change): Promise<void> {
  const { queries, projectId, self, refresh } = context;
  try {
    const saved = await saveChange(queries, projectId, base, wanted, force);
    onSettled?.();
    await refresh();
    if (base.id === self) return window.location.reload();
    const undo = () => unlessRemoved(() => takeBack(context, saved, toInverse(base, wanted)), refresh);
    toast({ title: said, undo: () => void attempt(base.id, undo, refresh) });
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 412)) throw error;
    await compare(context, base, wanted, onSettled);
  }
}

async function takeBack({ queries, projectId, refresh }: ChangeContext, saved: Member, inverse: MemberChange) {
  await saveChange(queries, projectId, saved, inverse);
  await refresh();
  toast({ title: 'Undone' });
}

/** Somebody was faster: a conflict, unless they made the same change. */
async function compare(context: ChangeContext, base: Member, wanted: MemberChange, onSettled?: () => void) {
  const theirs = await readMember(context.projectId, base.id);
  if (!isAlreadySo(base, wanted, theirs)) return context.onConflict({ base, change: wanted, theirs }, onSettled);
  onSettled?.();
  await context.refresh();
  toast({ title: 'Already so', description: 'Somebody else has made the same change.' });
}
