'use client';
import { toast } from '#components/ui/feedback/toast.tsx';
import { ConfirmDialog } from '#components/ui/overlay/confirm-dialog.tsx';
import { useDeleteClient } from '#lib/client/clients/clients.ts';
import type { ClientRow } from '#lib/protocol/answers/clients.ts';

export type DeleteClientDialogProps = { projectId: string; client: ClientRow; onClose: () => void };

export function DeleteClientDialog({ projectId, client, onClose }: DeleteClientDialogProps) {
  const remove = useDeleteClient(projectId);
  const name = client.name || 'this client';
  return (
    <ConfirmDialog
      danger
      title={`Delete ${name}?`}
      confirm="Delete the client"
      typed={client.name || undefined}
      onConfirm={async () => {
        await remove.mutateAsync({ id: client.id });
        toast({ title: 'The client is deleted' });
      }}
      onClose={onClose}
    >
      <p>
        Its secret and its tokens <strong>stop working at once</strong>, and its membership ends. What it wrote stays.
        This cannot be taken back; to pause a client, turn it off.
      </p>
    </ConfirmDialog>
  );
}
