'use client';
import { KeySquare, Plus } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Badge } from '#components/ui/display/badge.tsx';
import { Card } from '#components/ui/display/card.tsx';
import { ListRow } from '#components/ui/display/list-row.tsx';
import { EmptyState } from '#components/ui/feedback/empty-state.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { Skeleton, SkeletonRegion } from '#components/ui/feedback/skeleton.tsx';
import { toast } from '#components/ui/feedback/toast.tsx';
import { ConfirmDialog } from '#components/ui/overlay/confirm-dialog.tsx';
import { toBotSecretId, useBotSecrets, useDeleteBotSecret, usePutBotSecret } from '#lib/client/bots/bot-secrets.ts';

const SecretForm = dynamic(() => import('#components/settings/secret-form.tsx').then((module) => module.SecretForm), {
  ssr: false,
});

/** What the bot finds in `event.secrets`: its own go before its project's. Values go in and are never shown again. */
export function BotSecrets({ projectId, botId }: { projectId: string; botId: string }) {
  const secrets = useBotSecrets(projectId, botId);
  const put = usePutBotSecret(projectId, botId);
  const remove = useDeleteBotSecret(projectId, botId);
  /** A name to set the value of; empty for a new one. */
  const [editing, setEditing] = useState<string>();
  const [removing, setRemoving] = useState<string>();
  if (secrets.error && !secrets.data)
    return (
      <Card>
        <ErrorState error={secrets.error} what="the secrets of this bot" onRetry={() => void secrets.refetch()} />
      </Card>
    );
  if (!secrets.data)
    return (
      <Card>
        <SkeletonRegion label="Loading secrets" className="flex flex-col gap-4 p-4">
          <Skeleton className="w-48" />
          <Skeleton className="w-36" />
        </SkeletonRegion>
      </Card>
    );
  const { rows, missing } = secrets.data;
  const own = rows.filter((row) => row.of === 'bot').map(({ name }) => name);
  return (
    <Card>
      <div className="flex flex-wrap items-center gap-3 border-line border-b px-4 py-3">
        <p className="min-w-0 flex-1 text-muted">
          The bot finds these in event.secrets. They can be set and replaced, not read.
        </p>
        <Button size="sm" onClick={() => setEditing('')}>
          <Plus aria-hidden="true" />
          Add secret
        </Button>
      </div>
      {rows.length + missing.length === 0 ? (
        <EmptyState icon={<KeySquare />} title="No secrets" className="py-8">
          Keep what this bot needs to sign in elsewhere here, not in its code.
        </EmptyState>
      ) : (
        <ul aria-label="Secrets of this bot" className="divide-y divide-line">
          {missing.map((name) => (
            <ListRow
              key={name}
              about={toBotSecretId(botId, name)}
              className="flex min-h-12 flex-wrap items-center gap-2 py-1.5 pr-2 pl-4"
            >
              <span className="min-w-0 flex-1 truncate font-mono text-[0.8125rem]">{name}</span>
              <span className="text-[0.8125rem] text-muted">In the live code</span>
              <Badge tone="warn">Not set</Badge>
              <Button size="sm" variant="ghost" aria-label={`Set ${name}`} onClick={() => setEditing(name)}>
                Set
              </Button>
            </ListRow>
          ))}
          {rows.map(({ name, of, isNamed }) => (
            <ListRow
              key={name}
              about={toBotSecretId(botId, name)}
              className="flex min-h-12 flex-wrap items-center gap-2 py-1.5 pr-2 pl-4"
            >
              <span className="min-w-0 flex-1 truncate font-mono text-[0.8125rem]">{name}</span>
              {isNamed ? <span className="text-[0.8125rem] text-muted">In the live code</span> : null}
              <Badge tone={of === 'bot' ? 'accent' : 'neutral'}>{of === 'bot' ? 'This bot alone' : 'All bots'}</Badge>
              <Button
                size="sm"
                variant="ghost"
                aria-label={of === 'bot' ? `Replace ${name}` : `Set ${name} for this bot alone`}
                onClick={() => setEditing(name)}
              >
                {of === 'bot' ? 'Replace' : 'Set its own'}
              </Button>
              {of === 'bot' ? (
                <Button size="sm" variant="ghost" aria-label={`Delete ${name}`} onClick={() => setRemoving(name)}>
                  Delete
                </Button>
              ) : null}
            </ListRow>
          ))}
        </ul>
      )}
      {editing === undefined ? null : (
        <SecretForm
          title={editing === '' ? 'Add a secret of this bot' : `Set ${editing} for this bot`}
          description="This bot alone gets the value, from its next run on."
          name={editing}
          onKeep={put.mutateAsync}
          taken={own}
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
            Its value cannot be brought back. From its next run on this bot finds <strong>what the project has</strong>{' '}
            under this name, or nothing.
          </p>
        </ConfirmDialog>
      )}
    </Card>
  );
}
