'use client';
import dynamic from 'next/dynamic';
import { DialogLoading } from '#components/ui/overlay/loading.tsx';
import type { Member } from '#lib/client/api/types.ts';
import type { MemberConflict } from '../merge/merge-member.ts';
import type { MemberAction } from './guards.ts';

const MemberConfirm = dynamic(() => import('./confirm.tsx').then((module) => module.MemberConfirm), {
  ssr: false,
  loading: DialogLoading,
});
const MergeDialog = dynamic(() => import('../merge/dialog.tsx').then((module) => module.MergeDialog), {
  ssr: false,
  loading: DialogLoading,
});

/** What the administrator is asked before anything is done to a member, or after somebody else did something else. */
export type MemberAsk =
  | { kind: 'confirm'; action: MemberAction; member: Member }
  | ({ kind: 'merge'; onSettled?: () => void } & MemberConflict);

export type MemberDialogsProps = {
  projectId: string;
  ask: MemberAsk | undefined;
  /** The administrator's own membership. */
  self: string | undefined;
  onConfirm: (action: MemberAction, member: Member) => Promise<void>;
  /** One version of two stands. */
  onMerged: () => Promise<void>;
  onClose: () => void;
};

export function MemberDialogs({ projectId, ask, self, onConfirm, onMerged, onClose }: MemberDialogsProps) {
  if (ask?.kind === 'confirm') {
    const { action, member } = ask;
    return (
      <MemberConfirm
        projectId={projectId}
        action={action}
        member={member}
        self={member.id === self}
        onConfirm={() => onConfirm(action, member)}
        onClose={onClose}
      />
    );
  }
  if (ask?.kind === 'merge') {
    const { base, change, theirs, onSettled } = ask;
    return (
      <MergeDialog
        projectId={projectId}
        base={base}
        change={change}
        theirs={theirs}
        onDone={async () => {
          onSettled?.();
          await onMerged();
        }}
        onClose={onClose}
      />
    );
  }
  return null;
}
