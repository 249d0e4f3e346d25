import { Ellipsis } from 'lucide-react';
import Link from 'next/link';
import { useParams } from 'next/navigation';
import { NoPolicy } from '#components/members/no-policy.tsx';
import { Button } from '#components/ui/button.tsx';
import { cn } from '#components/ui/cn.ts';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { Badge } from '#components/ui/display/badge.tsx';
import { Time } from '#components/ui/display/time.tsx';
import { MenuButton } from '#components/ui/overlay/menu-button.tsx';
import { shortId } from '#lib/client/api/short-id.ts';
import type { ClientRow } from '#lib/protocol/answers/clients.ts';
import type { ClientEntries } from './use-client-actions.ts';

export type ClientsListProps = {
  /** Undefined while the first answer is on its way. */
  clients: ClientRow[] | undefined;
  /** Marked, and scrolled to. */
  current?: string;
  entriesOf: ClientEntries;
};

/** The name, leading to the client's own address. */
export function ClientName({ client }: { client: ClientRow }) {
  const { project } = useParams<{ project: string }>();
  return (
    <Link
      href={`/p/${project}/clients/${client.id}`}
      data-row-link=""
      className="block w-fit max-w-full truncate rounded-sm font-medium underline-offset-3 hover:underline"
    >
      {client.name ?? 'Unnamed client'}
    </Link>
  );
}

export function ClientStatus({ client }: { client: ClientRow }) {
  return client.status === 'off' ? (
    <Badge tone="warn" dot>
      Off
    </Badge>
  ) : (
    <Badge tone="good" dot>
      Active
    </Badge>
  );
}

/** What it may reach: a role, policies, or what comes of having none; the last is said. */
export function ClientAccess({ client }: { client: ClientRow }) {
  const [first, ...rest] = client.policies;
  // Signs people in, and has no rights of its own.
  if (!client.membershipId) return <span className="text-muted">None of its own</span>;
  return (
    <span className="inline-flex max-w-full items-center gap-1.5">
      {client.admin ? <Badge tone="accent">Admin</Badge> : null}
      {first ? (
        <Badge className="max-w-40">
          <span className="truncate">{first.display ?? 'Policy'}</span>
        </Badge>
      ) : client.admin ? null : (
        <NoPolicy />
      )}
      {rest.length > 0 ? <span className="text-muted text-xs">+{rest.length}</span> : null}
    </span>
  );
}

/** Who is responsible; one who has left is pointed out. */
export function ClientOwner({ client: { owner } }: { client: ClientRow }) {
  if (!owner) return null;
  return (
    <span className="inline-flex max-w-full flex-wrap items-center gap-1.5">
      <span className="truncate">{owner.name}</span>
      {owner.hasLeft ? <Badge tone="warn">Has left</Badge> : null}
    </span>
  );
}

/** Beneath the name: for what it is, who is responsible, and whether it came by itself. */
export function ClientNote({ client, className }: { client: ClientRow; className?: string }) {
  const { description, owner, registeredWith } = client;
  return (
    <>
      {description ? <p className={cn('text-[0.8125rem] text-muted', className)}>{description}</p> : null}
      {owner || registeredWith ? (
        <p className="flex flex-wrap items-center gap-1.5 text-[0.8125rem] text-muted">
          <ClientOwner client={client} />
          {registeredWith ? <Badge tone="info">Registered itself</Badge> : null}
        </p>
      ) : null}
    </>
  );
}

export function ClientId({ client }: { client: ClientRow }) {
  return (
    <span className="inline-flex items-center gap-0.5">
      <code className="font-mono text-muted text-xs" title={client.id}>
        {shortId(client.id)}
      </code>
      <CopyButton value={client.id} label={`Copy id of ${client.name ?? 'client'}`} className="-my-1" />
    </span>
  );
}

export function SecretAge({ client: { secret } }: { client: ClientRow }) {
  return (
    <span className="inline-flex flex-wrap items-center gap-1.5">
      {secret ? <Time at={secret.rotatedAt} /> : 'None'}
      {secret?.retiring ? <Badge tone="info">Old one still works</Badge> : null}
    </span>
  );
}

export function LastUse({ client }: { client: ClientRow }) {
  if (!client.lastUsedAt) return <span className="text-muted">Never</span>;
  return (
    <span>
      <Time at={client.lastUsedAt} />
      {client.lastUsedFrom ? <span className="block text-muted text-xs">{client.lastUsedFrom}</span> : null}
    </span>
  );
}

export function ClientMenu({ client, entriesOf }: { client: ClientRow; entriesOf: ClientEntries }) {
  return (
    <MenuButton
      entries={() => entriesOf(client)}
      trigger={
        <Button variant="ghost" size="icon-sm" aria-label={`Actions for ${client.name ?? 'client'}`}>
          <Ellipsis aria-hidden="true" />
        </Button>
      }
    />
  );
}

/** For the row of the client that the address names. */
export function scrollHere(node: HTMLElement | null): void {
  node?.scrollIntoView({ block: 'nearest' });
}
