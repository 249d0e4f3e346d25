'use client';
import { toast } from '#components/ui/feedback/toast.tsx';
import { ConfirmDialog } from '#components/ui/overlay/confirm-dialog.tsx';
import { useDropSecret } from '#lib/client/clients/clients.ts';
import type { ClientRow } from '#lib/protocol/answers/clients.ts';

export type DropSecretDialogProps = { projectId: string; client: ClientRow; onClose: () => void };

export function DropSecretDialog({ projectId, client, onClose }: DropSecretDialogProps) {
  const drop = useDropSecret(projectId);
  return (
    <ConfirmDialog
      danger
      title={`End the old secret of ${client.name ?? 'this client'}?`}
      confirm="End the old secret"
      onConfirm={async () => {
        await drop.mutateAsync({ id: client.id });
        toast({ title: 'The old secret no longer works' });
      }}
      onClose={onClose}
    >
      <p>
        A program that still signs in with it <strong>is refused from now on</strong>. The newest secret goes on
        working. This cannot be taken back.
      </p>
    </ConfirmDialog>
  );
}
