'use client';
import { useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Badge } from '#components/ui/display/badge.tsx';
import { ListRow } from '#components/ui/display/list-row.tsx';
import { Time } from '#components/ui/display/time.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { Skeleton, SkeletonRegion } from '#components/ui/feedback/skeleton.tsx';
import { toast } from '#components/ui/feedback/toast.tsx';
import { ConfirmDialog } from '#components/ui/overlay/confirm-dialog.tsx';
import { Dialog } from '#components/ui/overlay/dialog.tsx';
import type { ClientSecret } from '#lib/client/clients/clients.ts';
import { useRemoveSecret, useSecrets } from '#lib/client/clients/secrets.ts';
import type { ClientRow, ClientSecretRow } from '#lib/protocol/answers/clients.ts';
import { SecretForm } from './secret-form.tsx';

export type SecretsDialogProps = {
  projectId: string;
  client: ClientRow;
  onMade: (secret: ClientSecret) => void;
  onClose: () => void;
};

/** The secrets of a client beside its first: one for each place that signs in as it, changed on its own day. */
export function SecretsDialog({ projectId, client, onMade, onClose }: SecretsDialogProps) {
  const secrets = useSecrets(projectId, client.id);
  const remove = useRemoveSecret(projectId, client.id);
  const [adding, setAdding] = useState(false);
  const [ending, end] = useState<ClientSecretRow>();
  if (adding) {
    return <SecretForm projectId={projectId} client={client} onMade={onMade} onClose={() => setAdding(false)} />;
  }
  if (ending) {
    return (
      <ConfirmDialog
        title={`Take out the secret ${ending.name}?`}
        confirm="Take out the secret"
        danger
        onClose={() => end(undefined)}
        onConfirm={async () => {
          await remove.mutateAsync({ id: ending.id });
          toast({ title: `The secret ${ending.name} works no longer` });
        }}
      >
        <p>
          A program that still signs in with it <strong>is refused at once</strong>. The other secrets go on working.
        </p>
      </ConfirmDialog>
    );
  }
  const rows = secrets.data;
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={`Named secrets of ${client.name}`}
      description="Beside the client’s first secret: one for each place that signs in as it."
      className="max-w-2xl"
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          <Button variant="primary" onClick={() => setAdding(true)}>
            New secret
          </Button>
        </>
      }
    >
      {rows?.length === 0 ? (
        <p className="py-2 text-muted">None: the client signs in with its first secret.</p>
      ) : rows ? (
        <ul aria-label="Named secrets" className="divide-y divide-line rounded-lg border border-line">
          {rows.map((row) => (
            <ListRow
              key={row.id}
              about={row.id}
              className="flex flex-wrap items-center gap-x-3 gap-y-1 py-1.5 pr-2 pl-4"
            >
              <div className="min-w-0 flex-1 basis-52">
                <p className="flex items-center gap-2">
                  <span className="truncate font-medium">{row.name}</span>
                  <span className="font-mono text-muted text-xs">…{row.hint}</span>
                  <Ends row={row} />
                </p>
                <p className="text-[0.8125rem] text-muted">
                  {row.expiresAt ? (
                    <>
                      ends <Time at={row.expiresAt} /> ·{' '}
                    </>
                  ) : (
                    'does not end · '
                  )}
                  {row.lastUsedAt ? (
                    <>
                      last used <Time at={row.lastUsedAt} />
                    </>
                  ) : (
                    'never used'
                  )}
                </p>
              </div>
              <Button size="sm" variant="ghost" aria-label={`Take out ${row.name}`} onClick={() => end(row)}>
                Take out
              </Button>
            </ListRow>
          ))}
        </ul>
      ) : secrets.error ? (
        <ErrorState error={secrets.error} what="the secrets" onRetry={() => void secrets.refetch()} />
      ) : (
        <SkeletonRegion label="Loading secrets" className="flex flex-col gap-4 py-2">
          <Skeleton className="w-72 max-w-full" />
          <Skeleton className="w-64 max-w-full" />
        </SkeletonRegion>
      )}
    </Dialog>
  );
}

const SOON_MS = 14 * 86_400_000;

function Ends({ row: { expiresAt } }: { row: ClientSecretRow }) {
  const left = expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(expiresAt) - Date.now();
  if (left <= 0) return <Badge tone="danger">Expired</Badge>;
  return left < SOON_MS ? <Badge tone="warn">Ends soon</Badge> : null;
}
