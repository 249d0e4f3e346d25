'use client';
import { AsCode } from '#components/ui/display/as-code.tsx';
import { ConfirmDialog } from '#components/ui/overlay/confirm-dialog.tsx';
import type { Member } from '#lib/client/api/types.ts';
import { toPatchCall, toRemoveCall } from '#lib/client/member/change-member.ts';
import type { MemberAction } from './guards.ts';
import { RemovalEffect } from './removal-effect.tsx';

export type MemberConfirmProps = {
  projectId: string;
  action: MemberAction;
  member: Member;
  /** The administrator's own membership. */
  self: boolean;
  onConfirm: () => Promise<void>;
  onClose: () => void;
};

export function MemberConfirm({ projectId, action, member, self, onConfirm, onClose }: MemberConfirmProps) {
  const name = member.profile.display ?? member.user.display ?? 'this member';
  if (action === 'remove') {
    return (
      <ConfirmDialog
        danger
        title={self ? 'Leave this project?' : `Remove ${name}?`}
        confirm={self ? 'Leave the project' : `Remove ${name}`}
        onConfirm={onConfirm}
        onClose={onClose}
      >
        <RemovalEffect projectId={projectId} member={member} name={name} self={self} />
        <AsCode label="This removal as code" call={() => toRemoveCall(projectId, member, self)} />
      </ConfirmDialog>
    );
  }
  return (
    <ConfirmDialog
      danger
      title={action === 'demote' ? 'Give up your administration?' : 'Deactivate yourself?'}
      confirm={action === 'demote' ? 'Make me a member' : 'Deactivate me'}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <p>
        {action === 'demote'
          ? 'You lose this console’s screens at once. Only another administrator can give them back.'
          : 'You are signed out at once. Only another administrator can let you in again.'}
      </p>
      <AsCode
        label="This change as code"
        call={() => toPatchCall(projectId, member, action === 'demote' ? { admin: false } : { active: false }, self)}
      />
    </ConfirmDialog>
  );
}
