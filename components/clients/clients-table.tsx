'use client';
import { Card } from '#components/ui/display/card.tsx';
import { Table, TableCell, TableHead, TableRow } from '#components/ui/display/table.tsx';
import { SkeletonRows } from '#components/ui/feedback/skeleton-rows.tsx';
import type { ClientRow } from '#lib/protocol/answers/clients.ts';
import {
  ClientAccess,
  ClientId,
  ClientMenu,
  ClientName,
  ClientNote,
  ClientStatus,
  type ClientsListProps,
  LastUse,
  SecretAge,
  scrollHere,
} from './client-facts.tsx';
import type { ClientEntries } from './use-client-actions.ts';

const WAITING = ['w-40', 'w-20', 'w-24', 'w-18', 'w-22', 'w-14', 'w-6'].map((width) => ({ width }));

export function ClientsTable({ clients, current, entriesOf }: ClientsListProps) {
  return (
    <Card className="hidden overflow-x-auto md:block">
      <Table aria-label="Clients" aria-busy={!clients} className="min-w-192">
        <thead>
          <tr>
            <TableHead className="w-[28%]">Name</TableHead>
            <TableHead>Id</TableHead>
            <TableHead>Access</TableHead>
            <TableHead className="whitespace-nowrap">Secret made</TableHead>
            <TableHead className="whitespace-nowrap">Last used</TableHead>
            <TableHead>Status</TableHead>
            <TableHead className="w-12">
              <span className="sr-only">Actions</span>
            </TableHead>
          </tr>
        </thead>
        <tbody>
          {clients ? (
            clients.map((client) => (
              <Row key={client.id} client={client} current={client.id === current} entriesOf={entriesOf} />
            ))
          ) : (
            <SkeletonRows count={4} cells={WAITING} />
          )}
        </tbody>
      </Table>
    </Card>
  );
}

function Row({ client, current, entriesOf }: { client: ClientRow; current: boolean; entriesOf: ClientEntries }) {
  return (
    <TableRow
      data-row={client.id}
      about={client.id}
      ref={current ? scrollHere : undefined}
      aria-current={current || undefined}
      className="aria-current:bg-accent-soft/60"
    >
      <TableCell className="max-w-0">
        <ClientName client={client} />
        <ClientNote client={client} className="truncate" />
      </TableCell>
      <TableCell className="whitespace-nowrap">
        <ClientId client={client} />
      </TableCell>
      <TableCell>
        <ClientAccess client={client} />
      </TableCell>
      <TableCell className="text-muted">
        <SecretAge client={client} />
      </TableCell>
      <TableCell className="whitespace-nowrap">
        <LastUse client={client} />
      </TableCell>
      <TableCell>
        <ClientStatus client={client} />
      </TableCell>
      <TableCell className="px-2">
        <ClientMenu client={client} entriesOf={entriesOf} />
      </TableCell>
    </TableRow>
  );
}
