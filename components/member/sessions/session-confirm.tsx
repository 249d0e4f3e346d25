'use client';
import { ConfirmDialog } from '#components/ui/overlay/confirm-dialog.tsx';
import type { MemberSession } from '#lib/protocol/answers/member-sessions.ts';

export type SessionConfirmProps = {
  name: string;
  session: MemberSession | 'all';
  total: number;
  /** The session that asks is among them. */
  own: boolean;
  onConfirm: () => Promise<void>;
  onClose: () => void;
};

export function SessionConfirm({ name, session, total, own, onConfirm, onClose }: SessionConfirmProps) {
  if (session !== 'all') {
    return (
      <ConfirmDialog
        danger
        title="End the session you are using?"
        confirm="End my session"
        onConfirm={onConfirm}
        onClose={onClose}
      >
        <p>You are signed out here at once, and sign in again to go on.</p>
      </ConfirmDialog>
    );
  }
  return (
    <ConfirmDialog
      danger
      title={`End every session of ${name}?`}
      confirm="End all sessions"
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <p>
        {total === 1 ? 'One session ends' : `${total} sessions end`} at once in this project
        {own ? ', the one you are using among them' : ''}. {name} can sign in again; other projects do not notice.
      </p>
    </ConfirmDialog>
  );
}
