'use client';
import Link from 'next/link';
import { cn } from '#components/ui/cn.ts';
import { Avatar } from '#components/ui/display/avatar.tsx';
import { Badge } from '#components/ui/display/badge.tsx';
import { Card } from '#components/ui/display/card.tsx';
import { LinkPending } from '#components/ui/display/link-pending.tsx';
import { ListRow } from '#components/ui/display/list-row.tsx';
import { Time } from '#components/ui/display/time.tsx';
import { Skeleton, SkeletonRegion } from '#components/ui/feedback/skeleton.tsx';
import { toDeadline, toDelivery } from './facts.ts';
import { InviteMenu } from './menu.tsx';
import type { InviteRowsProps } from './table.tsx';

/** The same list where a table has no room. */
export function InvitesCards({ projectId, rows, stale, onAction }: InviteRowsProps) {
  if (!rows) {
    return (
      <SkeletonRegion label="Loading invitations" className="flex flex-col gap-2 md:hidden">
        {[0, 1, 2, 3].map((card) => (
          <Card key={card} className="h-28 p-4">
            <Skeleton className="w-1/2" />
          </Card>
        ))}
      </SkeletonRegion>
    );
  }
  return (
    <ul aria-label="Invitations" className={cn('flex flex-col gap-2 md:hidden', stale && 'opacity-55')}>
      {rows.map((row) => {
        const delivery = toDelivery(row);
        const deadline = toDeadline(row);
        return (
          <ListRow key={row.membershipId} about={row.membershipId}>
            <Card data-row={row.membershipId} className="flex gap-3 p-4">
              <Avatar name={row.name} className="mt-0.5" />
              <div className="min-w-0 flex-1">
                <Link
                  href={`/p/${projectId}/members/${row.membershipId}`}
                  data-row-link=""
                  className="block truncate rounded-sm font-medium"
                >
                  {row.name}
                  <LinkPending />
                </Link>
                <p className="text-[0.8125rem] text-muted [overflow-wrap:anywhere]">{row.email ?? row.profileType}</p>
                <p className="mt-2 flex flex-wrap items-center gap-x-2 gap-y-1 text-[0.8125rem] text-muted">
                  <Badge tone={delivery.tone} dot>
                    {delivery.text}
                  </Badge>
                  {row.admin ? <Badge tone="accent">Admin</Badge> : null}
                  {deadline ? (
                    <span>
                      {deadline.word} <Time at={deadline.at} />
                    </span>
                  ) : null}
                </p>
                {row.delivery?.error ? <p className="mt-1 text-danger-text text-xs">{row.delivery.error}</p> : null}
              </div>
              <div className="-mt-1 -mr-2">
                <InviteMenu projectId={projectId} row={row} onAction={onAction} />
              </div>
            </Card>
          </ListRow>
        );
      })}
    </ul>
  );
}
