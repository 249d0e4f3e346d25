'use client';
import { Button } from '#components/ui/button.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { Skeleton, SkeletonRegion } from '#components/ui/feedback/skeleton.tsx';
import { Dialog } from '#components/ui/overlay/dialog.tsx';
import { useClient } from '#lib/client/clients/client.ts';
import type { ClientRow } from '#lib/protocol/answers/clients.ts';
import { ClientForm } from './client-form.tsx';

export type EditClientDialogProps = { projectId: string; client: ClientRow; onClose: () => void };

/** What a client is called, for what it is, who is responsible, and what it is kept within. What it may reach is its membership's. */
export function EditClientDialog({ projectId, client, onClose }: EditClientDialogProps) {
  const stored = useClient(projectId, client.id);
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={`Edit ${client.name || 'this client'}`}
      className="max-w-xl"
    >
      {stored.data ? (
        <ClientForm
          projectId={projectId}
          client={stored.data}
          hasLeft={client.owner?.hasLeft === true}
          onClose={onClose}
        />
      ) : stored.error ? (
        <>
          <ErrorState error={stored.error} what="the client" onRetry={() => void stored.refetch()} />
          <div className="flex justify-end">
            <Button onClick={onClose}>Close</Button>
          </div>
        </>
      ) : (
        <SkeletonRegion label="Loading the client" className="flex h-96 flex-col gap-5 pt-2">
          <Skeleton className="h-9 w-full" />
          <Skeleton className="h-9 w-full" />
          <Skeleton className="w-48" />
        </SkeletonRegion>
      )}
    </Dialog>
  );
}
