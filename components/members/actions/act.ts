import { toast } from '#components/ui/feedback/toast.tsx';
import type { Member } from '#lib/client/api/types.ts';
import { removeMember, resendInvite, sendPasswordReset } from '#lib/client/member/change-member.ts';
import type { MemberChange } from '#lib/client/member/member.ts';
import { attempt } from './attempt.ts';
import { type ChangeContext, changeMember } from './change.ts';
import type { MemberAction } from './guards.ts';
import { bringBackMember } from './restore.ts';
import { unlessRemoved } from './unless-removed.ts';

const CHANGES = {
  promote: { change: { admin: true }, said: 'Now an administrator' },
  demote: { change: { admin: false }, said: 'Now a member without administration' },
  deactivate: { change: { active: false }, said: 'Deactivated: signed out everywhere' },
  reactivate: { change: { active: true }, said: 'Reactivated' },
} as const satisfies Record<string, { change: MemberChange; said: string }>;

export type ActOptions = {
  /** The administrator means to give up rights of their own. */
  force: boolean;
  onRemoved?: (membershipId: string) => void;
};

/** Does it, and says so. Loaded by the press that wants it. */
export function actOnMember(
  context: ChangeContext,
  action: MemberAction,
  member: Member,
  options: ActOptions,
): Promise<void> {
  return unlessRemoved(() => act(context, action, member, options), context.refresh);
}

async function act(
  context: ChangeContext,
  action: MemberAction,
  member: Member,
  { force, onRemoved }: ActOptions,
): Promise<void> {
  const { projectId, refresh } = context;
  if (action === 'resend') {
    await resendInvite(projectId, member.id);
    toast({ title: 'Invitation sent again', description: 'The earlier link no longer works.' });
    return refresh();
  }
  if (action === 'reset') {
    await sendPasswordReset(projectId, member.id);
    return toast({ title: 'Mail with a reset link sent', description: 'It works for one hour.' });
  }
  if (action === 'remove') {
    await removeMember(projectId, member, force);
    onRemoved?.(member.id);
    await refresh();
    const back = () => bringBackMember(context, member.id, Number(member.meta?.versionId));
    return toast({ title: 'Member removed', undo: () => void attempt(member.id, back, refresh) });
  }
  const { change, said } = CHANGES[action];
  return changeMember(context, member, change, said, { force });
}
