'use client';
import { KeySquare, Plus } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { ListRow } from '#components/ui/display/list-row.tsx';
import { EmptyState } from '#components/ui/feedback/empty-state.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { Skeleton, SkeletonRegion } from '#components/ui/feedback/skeleton.tsx';
import { toast } from '#components/ui/feedback/toast.tsx';
import { ConfirmDialog } from '#components/ui/overlay/confirm-dialog.tsx';
import { toSecretId, useDeleteSecret, usePutSecret, useSecretNames } from '#lib/client/settings/settings.ts';
import { SettingsCard } from './settings-card.tsx';

const SecretForm = dynamic(() => import('./secret-form.tsx').then((module) => module.SecretForm), { ssr: false });

/** Names of the secrets that bots get as `event.secrets`. Values go in and are never shown again. */
export function SecretsCard({ projectId }: { projectId: string }) {
  const names = useSecretNames(projectId);
  const put = usePutSecret(projectId);
  const remove = useDeleteSecret(projectId);
  /** A name to replace the value of; empty for a new one. */
  const [editing, setEditing] = useState<string>();
  const [removing, setRemoving] = useState<string>();
  return (
    <SettingsCard
      id="secrets"
      title="Secrets"
      description="Passwords and keys that bots find in event.secrets. They can be set and replaced, not read."
      action={
        names.data ? (
          <Button size="sm" onClick={() => setEditing('')}>
            <Plus aria-hidden="true" />
            Add secret
          </Button>
        ) : null
      }
    >
      {names.data?.length === 0 ? (
        <EmptyState icon={<KeySquare />} title="No secrets" className="py-8">
          Keep what a bot needs to sign in elsewhere here, not in its code.
        </EmptyState>
      ) : names.data ? (
        <ul aria-label="Secrets" className="divide-y divide-line rounded-lg border border-line">
          {names.data.map((name) => (
            <ListRow
              key={name}
              about={toSecretId(name)}
              className="flex min-h-12 flex-wrap items-center gap-2 py-1.5 pr-2 pl-4"
            >
              <span className="min-w-0 flex-1 truncate font-mono text-[0.8125rem]">{name}</span>
              <span className="mr-2 text-faint tracking-widest max-sm:hidden" aria-hidden="true">
                ••••••••
              </span>
              <Button size="sm" variant="ghost" aria-label={`Replace ${name}`} onClick={() => setEditing(name)}>
                Replace
              </Button>
              <Button size="sm" variant="ghost" aria-label={`Delete ${name}`} onClick={() => setRemoving(name)}>
                Delete
              </Button>
            </ListRow>
          ))}
        </ul>
      ) : names.error ? (
        <ErrorState error={names.error} what="the secrets of this project" onRetry={() => void names.refetch()} />
      ) : (
        <SkeletonRegion label="Loading secrets" className="flex flex-col gap-4">
          <Skeleton className="w-48" />
          <Skeleton className="w-36" />
        </SkeletonRegion>
      )}
      {editing === undefined ? null : (
        <SecretForm
          title={editing === '' ? 'Add a secret' : `Replace ${editing}`}
          description="Bots get the new value from their next run on."
          name={editing}
          onKeep={put.mutateAsync}
          taken={names.data ?? []}
          onClose={() => setEditing(undefined)}
        />
      )}
      {removing === undefined ? null : (
        <ConfirmDialog
          title={`Delete ${removing}?`}
          confirm={`Delete ${removing}`}
          danger
          onClose={() => setRemoving(undefined)}
          onConfirm={async () => {
            await remove.mutateAsync(removing);
            toast({ title: `${removing} is deleted` });
          }}
        >
          <p>
            Its value cannot be brought back. Bots that ask for it find <strong>nothing</strong> from their next run on.
          </p>
        </ConfirmDialog>
      )}
    </SettingsCard>
  );
}
