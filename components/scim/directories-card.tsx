'use client';
import { FolderSync, Plus } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { SettingsCard } from '#components/settings/settings-card.tsx';
import { Button } from '#components/ui/button.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { EmptyState } from '#components/ui/feedback/empty-state.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { Skeleton, SkeletonRegion } from '#components/ui/feedback/skeleton.tsx';
import { toast } from '#components/ui/feedback/toast.tsx';
import { ConfirmDialog } from '#components/ui/overlay/confirm-dialog.tsx';
import { DialogLoading } from '#components/ui/overlay/loading.tsx';
import { type ToldToken, useConnections, useDisconnect } from '#lib/client/scim/connections.ts';
import type { ScimConnectionRow } from '#lib/protocol/answers/scim-connections.ts';
import { type DirectoryAsk, DirectoryRow } from './directory-row.tsx';

const DirectoryForm = dynamic(() => import('./directory-form.tsx').then((it) => it.DirectoryForm), {
  ssr: false,
  loading: DialogLoading,
});
const TokenDialog = dynamic(() => import('./token-dialog.tsx').then((it) => it.TokenDialog), {
  ssr: false,
  loading: DialogLoading,
});
const TokensDialog = dynamic(() => import('./tokens-dialog.tsx').then((it) => it.TokensDialog), {
  ssr: false,
  loading: DialogLoading,
});
const GroupsDialog = dynamic(() => import('./groups-dialog.tsx').then((it) => it.GroupsDialog), {
  ssr: false,
  loading: DialogLoading,
});
const RequestsDialog = dynamic(() => import('./requests-dialog.tsx').then((it) => it.RequestsDialog), {
  ssr: false,
  loading: DialogLoading,
});

/** The directories that provision members by SCIM. A token is shown once, when it is made. */
export function DirectoriesCard({ projectId }: { projectId: string }) {
  const connections = useConnections(projectId);
  const disconnect = useDisconnect(projectId);
  const [asked, ask] = useState<{ what: DirectoryAsk | 'connect'; id?: string }>();
  const [told, setTold] = useState<ToldToken>();
  const rows = connections.data?.rows;
  const url = connections.data?.url ?? '';
  const about = rows?.find(({ id }) => id === asked?.id);
  const close = () => ask(undefined);
  const tell = (token: ToldToken) => {
    close();
    setTold(token);
  };
  const connect = (
    <Button size="sm" onClick={() => ask({ what: 'connect' })}>
      <Plus aria-hidden="true" />
      Connect a directory
    </Button>
  );
  return (
    <SettingsCard
      id="directories"
      title="Directories (SCIM)"
      description="Okta, Entra and others make, change and end members here by themselves."
      action={rows?.length ? connect : null}
    >
      {rows?.length === 0 ? (
        <EmptyState icon={<FolderSync />} title="No directory" className="py-8" action={connect}>
          Who joins or leaves in your company’s directory then joins or leaves here, without an invitation by hand.
        </EmptyState>
      ) : rows ? (
        <>
          <p className="mb-3 flex flex-wrap items-center gap-x-2 text-muted">
            <span>Address for the directory:</span>
            <code className="min-w-0 break-all font-mono text-ink text-xs">{url}</code>
            <CopyButton value={url} label="Copy the address" />
          </p>
          <ul aria-label="Directories" className="divide-y divide-line rounded-lg border border-line">
            {rows.map((row) => (
              <DirectoryRow key={row.id} row={row} onAsk={(what) => ask({ what, id: row.id })} />
            ))}
          </ul>
        </>
      ) : connections.error ? (
        <ErrorState
          error={connections.error}
          what="the directories of this project"
          onRetry={() => void connections.refetch()}
        />
      ) : (
        <SkeletonRegion label="Loading directories" className="flex flex-col gap-4">
          <Skeleton className="w-48" />
          <Skeleton className="w-72 max-w-full" />
        </SkeletonRegion>
      )}
      {asked?.what === 'connect' ? <DirectoryForm projectId={projectId} onConnected={tell} onClose={close} /> : null}
      {asked?.what === 'edit' && about ? <DirectoryForm projectId={projectId} row={about} onClose={close} /> : null}
      {asked?.what === 'tokens' && about ? (
        <TokensDialog projectId={projectId} row={about} onMade={tell} onClose={close} />
      ) : null}
      {asked?.what === 'groups' && about ? <GroupsDialog projectId={projectId} row={about} onClose={close} /> : null}
      {asked?.what === 'requests' && about ? (
        <RequestsDialog projectId={projectId} row={about} onClose={close} />
      ) : null}
      {asked?.what === 'disconnect' && about ? (
        <Disconnect row={about} onClose={close} onConfirm={() => disconnect.mutateAsync({ id: about.id })} />
      ) : null}
      {told ? <TokenDialog url={url} told={told} onClose={() => setTold(undefined)} /> : null}
    </SettingsCard>
  );
}

type DisconnectProps = { row: ScimConnectionRow; onConfirm: () => Promise<unknown>; onClose: () => void };

function Disconnect({ row, onConfirm, onClose }: DisconnectProps) {
  const { name, members } = row;
  return (
    <ConfirmDialog
      title={`Disconnect ${name}?`}
      confirm={`Disconnect ${name}`}
      danger
      onClose={onClose}
      onConfirm={async () => {
        await onConfirm();
        toast({ title: `${name} is disconnected` });
      }}
    >
      <p>
        Its tokens stop working <strong>at once</strong>, and its list of requests is gone. The{' '}
        <strong>{members === 1 ? 'one member' : `${members} members`}</strong> that it manages stay as they are, with
        what its groups gave them.
      </p>
    </ConfirmDialog>
  );
}
