'use client';
import { Card } from '#components/ui/display/card.tsx';
import { ListRow } from '#components/ui/display/list-row.tsx';
import { Skeleton, SkeletonRegion } from '#components/ui/feedback/skeleton.tsx';
import {
  ClientAccess,
  ClientId,
  ClientMenu,
  ClientName,
  ClientNote,
  ClientStatus,
  type ClientsListProps,
  LastUse,
  scrollHere,
} from './client-facts.tsx';

/** The same list where a table has no room. */
export function ClientsCards({ clients, current, entriesOf }: ClientsListProps) {
  if (!clients) return <Waiting />;
  return (
    <ul aria-label="Clients" className="flex flex-col gap-2 md:hidden">
      {clients.map((client) => (
        <ListRow
          key={client.id}
          about={client.id}
          data-row={client.id}
          ref={client.id === current ? scrollHere : undefined}
          aria-current={client.id === current || undefined}
          className="group/card"
        >
          <Card className="p-4 group-aria-current/card:border-accent">
            <div className="flex items-start gap-2">
              <div className="min-w-0 flex-1">
                <ClientName client={client} />
                <ClientNote client={client} />
              </div>
              <ClientMenu client={client} entriesOf={entriesOf} />
            </div>
            <div className="mt-2.5 flex flex-wrap items-center gap-2">
              <ClientStatus client={client} />
              <ClientAccess client={client} />
            </div>
            <dl className="mt-3 grid grid-cols-[5.5rem_minmax(0,1fr)] items-center gap-y-1.5 text-[0.8125rem]">
              <dt className="text-muted">Id</dt>
              <dd>
                <ClientId client={client} />
              </dd>
              <dt className="text-muted">Last used</dt>
              <dd>
                <LastUse client={client} />
              </dd>
            </dl>
          </Card>
        </ListRow>
      ))}
    </ul>
  );
}

function Waiting() {
  return (
    <SkeletonRegion label="Loading clients" className="flex flex-col gap-2 md:hidden">
      {[0, 1, 2].map((card) => (
        <Card key={card} className="flex h-40 flex-col gap-3 p-4">
          <Skeleton className="w-1/2" />
          <Skeleton className="h-5 w-32" />
          <Skeleton className="w-2/3" />
        </Card>
      ))}
    </SkeletonRegion>
  );
}
