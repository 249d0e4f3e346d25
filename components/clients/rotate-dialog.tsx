'use client';
import { ConfirmDialog } from '#components/ui/overlay/confirm-dialog.tsx';
import { type ClientSecret, useRotateSecret } from '#lib/client/clients/clients.ts';
import type { ClientRow } from '#lib/protocol/answers/clients.ts';

export type RotateDialogProps = {
  projectId: string;
  client: ClientRow;
  onRotated: (client: ClientSecret) => void;
  onClose: () => void;
};

export function RotateDialog({ projectId, client, onRotated, onClose }: RotateDialogProps) {
  const rotate = useRotateSecret(projectId);
  const name = client.name ?? 'this client';
  return (
    <ConfirmDialog
      title={`Rotate the secret of ${name}?`}
      confirm="Rotate secret"
      onConfirm={async () => onRotated(await rotate.mutateAsync({ id: client.id, name }))}
      onClose={onClose}
    >
      <p>
        You get a new secret, shown once. The one in use now <strong>goes on working</strong>, so that the program can
        change over without a gap.
      </p>
      {client.secret?.retiring ? (
        <p>
          <strong>The secret before that stops working at once</strong>: a client has two secrets at most.
        </p>
      ) : null}
    </ConfirmDialog>
  );
}
