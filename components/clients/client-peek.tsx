'use client';
import { PeekSheet } from '#components/frame/peek-sheet.tsx';
import type { Peek } from '#components/frame/use-peek.ts';
import type { ClientRow } from '#lib/protocol/answers/clients.ts';
import { ClientAccess, ClientId, ClientOwner, ClientStatus, LastUse, SecretAge } from './client-facts.tsx';

export type ClientPeekProps = {
  peek: Peek;
  projectId: string;
  client: ClientRow;
  /** The address names this client already. */
  open: boolean;
};

/** What a client may do and when it last came. */
export function ClientPeek({ peek, projectId, client, open }: ClientPeekProps) {
  return (
    <PeekSheet
      peek={peek}
      title={client.name ?? 'Unnamed client'}
      href={open ? undefined : `/p/${projectId}/clients/${client.id}`}
      head={
        <div className="flex flex-col items-start gap-2">
          {client.description ? <p className="text-muted">{client.description}</p> : null}
          <ClientStatus client={client} />
        </div>
      }
      facts={[
        ['Access', <ClientAccess key="access" client={client} />],
        ['Responsible', client.owner ? <ClientOwner key="owner" client={client} /> : undefined],
        ['Registered', client.registeredWith ? `By itself, with “${client.registeredWith}”` : undefined],
        ['Last used', <LastUse key="use" client={client} />],
        ['Secret made', <SecretAge key="secret" client={client} />],
        ['Id', <ClientId key="id" client={client} />],
      ]}
    />
  );
}
