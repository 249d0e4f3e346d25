'use client';
import { toast } from '#components/ui/feedback/toast.tsx';
import { ConfirmDialog } from '#components/ui/overlay/confirm-dialog.tsx';
import type { ApiKeyRow } from '#lib/protocol/api-keys/answers.ts';

export type EndKeyDialogProps = { row: ApiKeyRow; onConfirm: () => Promise<unknown>; onClose: () => void };

export function EndKeyDialog({ row, onConfirm, onClose }: EndKeyDialogProps) {
  return (
    <ConfirmDialog
      title={`End the key ${row.name}?`}
      confirm="End the key"
      danger
      onClose={onClose}
      onConfirm={async () => {
        await onConfirm();
        toast({ title: `The key ${row.name} works no longer` });
      }}
    >
      <p>
        A script that still uses it <strong>is refused at once</strong>. This cannot be taken back.
      </p>
    </ConfirmDialog>
  );
}
