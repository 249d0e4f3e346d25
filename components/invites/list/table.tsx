'use client';
import Link from 'next/link';
import { PolicyChips } from '#components/members/badges.tsx';
import { cn } from '#components/ui/cn.ts';
import { Avatar } from '#components/ui/display/avatar.tsx';
import { Badge } from '#components/ui/display/badge.tsx';
import { Card } from '#components/ui/display/card.tsx';
import { LinkPending } from '#components/ui/display/link-pending.tsx';
import { Table, TableCell, TableHead, TableRow } from '#components/ui/display/table.tsx';
import { Time } from '#components/ui/display/time.tsx';
import { SkeletonRows } from '#components/ui/feedback/skeleton-rows.tsx';
import type { InviteRow } from '#lib/protocol/answers/invites.ts';
import { type InviteAction, toDeadline, toDelivery } from './facts.ts';
import { InviteMenu } from './menu.tsx';

export type InviteRowsProps = {
  projectId: string;
  /** Undefined while the first answer is on its way. */
  rows: InviteRow[] | undefined;
  /** The rows belong to the view before this one. */
  stale: boolean;
  onAction: (action: InviteAction, row: InviteRow) => void;
};

const WAITING = [
  { picture: 'size-8 rounded-full', width: 'h-3 w-44' },
  { width: 'w-24', className: 'px-3' },
  { width: 'w-20', className: 'px-3' },
  { width: 'w-22', className: 'px-3' },
  { width: 'w-16', className: 'px-3' },
  {},
];

export function InvitesTable({ projectId, rows, stale, onAction }: InviteRowsProps) {
  return (
    <Card className="hidden overflow-x-auto md:block">
      <Table aria-label="Invitations" aria-busy={!rows || stale} className="min-w-184">
        <thead>
          <tr>
            <TableHead className="w-[32%]">Person</TableHead>
            <TableHead className="px-3">Access</TableHead>
            <TableHead className="px-3">Delivery</TableHead>
            <TableHead className="px-3">Invited</TableHead>
            <TableHead className="px-3">Link</TableHead>
            <TableHead className="w-12">
              <span className="sr-only">Actions</span>
            </TableHead>
          </tr>
        </thead>
        <tbody className={cn('transition-opacity duration-150', stale && 'opacity-55')}>
          {rows ? (
            rows.map((row) => <Row key={row.membershipId} projectId={projectId} row={row} onAction={onAction} />)
          ) : (
            <SkeletonRows count={6} cells={WAITING} />
          )}
        </tbody>
      </Table>
    </Card>
  );
}

type RowProps = { projectId: string; row: InviteRow; onAction: InviteRowsProps['onAction'] };

function Row({ projectId, row, onAction }: RowProps) {
  const delivery = toDelivery(row);
  const deadline = toDeadline(row);
  return (
    <TableRow
      data-row={row.membershipId}
      about={row.membershipId}
      className="focus-within:bg-hover/70 hover:bg-hover/50"
    >
      <TableCell className="max-w-0">
        <div className="flex items-center gap-3">
          <Avatar name={row.name} />
          <div className="min-w-0">
            <Link
              href={`/p/${projectId}/members/${row.membershipId}`}
              data-row-link=""
              className="block truncate rounded-sm font-medium underline-offset-3 hover:underline"
            >
              {row.name}
              <LinkPending />
            </Link>
            <span className="block text-[0.8125rem] text-muted leading-4.5 [overflow-wrap:anywhere]">
              {row.email ?? row.profileType}
            </span>
          </div>
        </div>
      </TableCell>
      <TableCell className="px-3">
        <span className="flex items-center gap-1.5">
          {row.admin ? <Badge tone="accent">Admin</Badge> : null}
          <PolicyChips policies={row.policies.map(({ display }) => display)} admin={row.admin} />
        </span>
      </TableCell>
      <TableCell className="px-3">
        <Badge tone={delivery.tone} dot>
          {delivery.text}
        </Badge>
        {row.delivery?.error ? (
          <span className="mt-1 block max-w-60 truncate text-danger-text text-xs" title={row.delivery.error}>
            {row.delivery.error}
          </span>
        ) : null}
      </TableCell>
      <TableCell className="whitespace-nowrap px-3 text-muted">
        <Time at={row.invitedAt} />
        {row.invitedBy?.display ? <span className="block text-[0.8125rem]">by {row.invitedBy.display}</span> : null}
      </TableCell>
      <TableCell className="whitespace-nowrap px-3 text-muted">
        {deadline ? (
          <>
            {deadline.word} <Time at={deadline.at} />
          </>
        ) : (
          '—'
        )}
      </TableCell>
      <TableCell className="pr-3 pl-0">
        <InviteMenu projectId={projectId} row={row} onAction={onAction} />
      </TableCell>
    </TableRow>
  );
}
