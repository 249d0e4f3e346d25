'use client';
import { KeyRound, Plus } from 'lucide-react';
import dynamic from 'next/dynamic';
import { usePathname, useRouter } from 'next/navigation';
import { parseAsString, useQueryState } from 'nuqs';
import { useEffect, useRef, useState } from 'react';
import { setBreadcrumbLeaf } from '#components/frame/breadcrumb.tsx';
import { PageHeading } from '#components/frame/page-heading.tsx';
import { usePeek } from '#components/frame/use-peek.ts';
import { useRowKeys } from '#components/frame/use-row-keys.ts';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/display/card.tsx';
import { EmptyState } from '#components/ui/feedback/empty-state.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { DialogLoading, SheetLoading } from '#components/ui/overlay/loading.tsx';
import { type ClientSecret, useClients } from '#lib/client/clients/clients.ts';
import type { ClientRow } from '#lib/protocol/answers/clients.ts';
import { ClientsCards } from './clients-cards.tsx';
import { ClientsTable } from './clients-table.tsx';
import { ANY, isOf, OwnerFilter } from './owner-filter.tsx';
import { type ClientAsk, useClientActions } from './use-client-actions.ts';

// Forms come with the first press.
const CreateClientDialog = dynamic(() => import('./create-client-dialog.tsx').then((it) => it.CreateClientDialog), {
  ssr: false,
  loading: DialogLoading,
});
const ClientPeek = dynamic(() => import('./client-peek.tsx').then((it) => it.ClientPeek), {
  ssr: false,
  loading: SheetLoading,
});
const DeleteClientDialog = dynamic(() => import('./delete-client-dialog.tsx').then((it) => it.DeleteClientDialog), {
  ssr: false,
  loading: DialogLoading,
});
const EditClientDialog = dynamic(() => import('./edit-client-dialog.tsx').then((it) => it.EditClientDialog), {
  ssr: false,
  loading: DialogLoading,
});
const DropSecretDialog = dynamic(() => import('./drop-secret-dialog.tsx').then((it) => it.DropSecretDialog), {
  ssr: false,
  loading: DialogLoading,
});
const LaunchDialog = dynamic(() => import('./launch-dialog.tsx').then((it) => it.LaunchDialog), {
  ssr: false,
  loading: DialogLoading,
});
const RequestsDialog = dynamic(() => import('./requests-dialog.tsx').then((it) => it.RequestsDialog), {
  ssr: false,
  loading: DialogLoading,
});
const RotateDialog = dynamic(() => import('./rotate-dialog.tsx').then((it) => it.RotateDialog), {
  ssr: false,
  loading: DialogLoading,
});
const SecretsDialog = dynamic(() => import('./secrets-dialog.tsx').then((it) => it.SecretsDialog), {
  ssr: false,
  loading: DialogLoading,
});
const SecretDialog = dynamic(() => import('./secret-dialog.tsx').then((it) => it.SecretDialog), {
  ssr: false,
  loading: DialogLoading,
});

/** The programs that sign in to this project with a secret of their own. The one that the address names is open beside the list. */
export function Clients({ projectId }: { projectId: string }) {
  const [, current] = usePathname().split('/clients/');
  const clients = useClients(projectId);
  const [creating, setCreating] = useState(false);
  const [asked, ask] = useState<{ what: ClientAsk; client: ClientRow }>();
  const [told, setTold] = useState<ClientSecret>();
  const { entriesOf } = useClientActions(projectId, (what, client) => ask({ what, client }));
  const all = clients.data?.rows;
  const [owner, setOwner] = useQueryState('owner', parseAsString.withDefault(ANY));
  const rows = all?.filter((row) => isOf(row, owner));
  const area = useRef<HTMLDivElement>(null);
  const router = useRouter();
  // The list stays as it is, and the focus in it.
  const peek = usePeek(area, () => window.history.replaceState(null, '', `/p/${projectId}/clients`));
  const { open } = peek;
  useEffect(() => {
    if (current) open(current);
  }, [current, open]);
  useRowKeys(
    area,
    { peek: peek.open, edit: (id) => router.push(`/p/${projectId}/clients/${id}`) },
    { c: () => all && setCreating(true) },
  );
  const peeked = all?.find(({ id }) => id === peek.id);

  useEffect(() => {
    setBreadcrumbLeaf(current && peeked?.name);
    return () => setBreadcrumbLeaf(undefined);
  }, [current, peeked?.name]);

  const tell = (secret: ClientSecret) => {
    setCreating(false);
    ask(undefined);
    setTold(secret);
  };
  const about = (client: ClientRow) => ({ projectId, client, onClose: () => ask(undefined) });
  const create = (
    <Button variant="primary" onClick={() => setCreating(true)}>
      <Plus aria-hidden="true" />
      New client
    </Button>
  );
  return (
    <div ref={area}>
      <PageHeading title="Clients" actions={all?.length ? create : null}>
        Programs that call the API by themselves, each with its own secret, role and access.
      </PageHeading>
      {clients.error && !all ? (
        <Card>
          <ErrorState error={clients.error} what="the clients of this project" onRetry={() => void clients.refetch()} />
        </Card>
      ) : all?.length === 0 ? (
        <Card className="border-dashed bg-transparent shadow-none">
          <EmptyState icon={<KeyRound />} title="No clients yet" action={create}>
            A program should not sign in as a person: give it a client, and you can see when it last came, replace its
            secret, and turn it off without locking anyone out.
          </EmptyState>
        </Card>
      ) : (
        <>
          <p role="status" className="sr-only">
            {rows ? `${rows.length} ${rows.length === 1 ? 'client' : 'clients'}` : ''}
          </p>
          <OwnerFilter rows={all} owner={owner} onOwner={(next) => void setOwner(next)} />
          <ClientsTable clients={rows} current={current} entriesOf={entriesOf} />
          <ClientsCards clients={rows} current={current} entriesOf={entriesOf} />
          {rows?.length === 0 ? <p className="mt-3 text-muted">No client has this one responsible.</p> : null}
          {clients.data && clients.data.total > clients.data.rows.length ? (
            <p className="mt-3 text-muted">
              The first {clients.data.rows.length} of {clients.data.total} clients.
            </p>
          ) : null}
        </>
      )}
      {creating ? (
        <CreateClientDialog projectId={projectId} onCreated={tell} onClose={() => setCreating(false)} />
      ) : null}
      {asked?.what === 'launch' ? <LaunchDialog {...about(asked.client)} /> : null}
      {asked?.what === 'requests' ? <RequestsDialog {...about(asked.client)} /> : null}
      {asked?.what === 'rotate' ? <RotateDialog {...about(asked.client)} onRotated={tell} /> : null}
      {asked?.what === 'drop' ? <DropSecretDialog {...about(asked.client)} /> : null}
      {asked?.what === 'secrets' ? <SecretsDialog {...about(asked.client)} onMade={tell} /> : null}
      {asked?.what === 'edit' ? <EditClientDialog {...about(asked.client)} /> : null}
      {asked?.what === 'remove' ? <DeleteClientDialog {...about(asked.client)} /> : null}
      {told ? <SecretDialog projectId={projectId} client={told} onClose={() => setTold(undefined)} /> : null}
      {peeked ? <ClientPeek peek={peek} projectId={projectId} client={peeked} open={peeked.id === current} /> : null}
    </div>
  );
}
