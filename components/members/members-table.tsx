'use client';
import { Avatar } from '#components/ui/avatar.tsx';
import { Card } from '#components/ui/card.tsx';
import { cn } from '#components/ui/cn.ts';
import { Skeleton } from '#components/ui/skeleton.tsx';
import { SortHead } from '#components/ui/sort-head.tsx';
import { Table, TableCell, TableHead, TableRow } from '#components/ui/table.tsx';
import { Time } from '#components/ui/time.tsx';
import type { MemberSearch } from '#lib/client/members.ts';
import type { ProjectMembership } from '#lib/client/types.ts';
import { PolicyChips, RoleBadge, StatusBadge } from './member-badges.tsx';
import { toMemberFacts } from './member-facts.ts';

export type MembersTableProps = {
  /** Undefined while the first answer is on its way. */
  members: ProjectMembership[] | undefined;
  rows: number;
  /** The rows belong to the view before this one. */
  stale: boolean;
  sort: MemberSearch['sort'];
  onSort: (sort: MemberSearch['sort']) => void;
};

export function MembersTable({ members, rows, stale, sort, onSort }: MembersTableProps) {
  return (
    <Card className="hidden overflow-x-auto md:block">
      <Table aria-label="Members" aria-busy={!members || stale} className="min-w-176">
        <thead>
          <tr>
            <SortHead
              label="Name"
              ascending="name"
              descending="-name"
              sort={sort}
              onSort={onSort}
              className="w-[34%]"
            />
            <TableHead>Type</TableHead>
            <TableHead>Role</TableHead>
            <TableHead>Policies</TableHead>
            <TableHead>Status</TableHead>
            <SortHead label="Changed" ascending="_lastUpdated" descending="-_lastUpdated" sort={sort} onSort={onSort} />
          </tr>
        </thead>
        <tbody className={cn('transition-opacity duration-150', stale && 'opacity-55')}>
          {members ? (
            members.map((member) => <Row key={member.id} member={member} />)
          ) : (
            <SkeletonRows count={Math.min(rows, 10)} />
          )}
        </tbody>
      </Table>
    </Card>
  );
}

function Row({ member }: { member: ProjectMembership }) {
  const { name, email, type, policies } = toMemberFacts(member);
  return (
    <TableRow>
      <TableCell>
        <div className="flex items-center gap-3">
          <Avatar name={name} />
          <div className="min-w-0">
            <p className="truncate font-medium">{name}</p>
            {email ? <p className="truncate text-[0.8125rem] text-muted">{email}</p> : null}
          </div>
        </div>
      </TableCell>
      <TableCell className="whitespace-nowrap">{type}</TableCell>
      <TableCell>
        <RoleBadge member={member} />
      </TableCell>
      <TableCell>
        <PolicyChips policies={policies} />
      </TableCell>
      <TableCell>
        <StatusBadge member={member} />
      </TableCell>
      <TableCell className="whitespace-nowrap text-muted tabular-nums">
        {member.meta?.lastUpdated ? <Time at={member.meta.lastUpdated} /> : null}
      </TableCell>
    </TableRow>
  );
}

function SkeletonRows({ count }: { count: number }) {
  return Array.from({ length: count }, (_, index) => index).map((row) => (
    <TableRow key={row}>
      <TableCell>
        <div className="flex animate-late items-center gap-3">
          <Skeleton className="size-8 rounded-full" />
          <div className="flex flex-col gap-1.5">
            <Skeleton className="h-3.5 w-36" />
            <Skeleton className="h-3 w-44" />
          </div>
        </div>
      </TableCell>
      {['w-20', 'w-14', 'w-24', 'w-16', 'w-22'].map((width) => (
        <TableCell key={width}>
          <div className="animate-late">
            <Skeleton className={width} />
          </div>
        </TableCell>
      ))}
    </TableRow>
  ));
}
