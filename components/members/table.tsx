'use client';
import { cn } from '#components/ui/cn.ts';
import { Card } from '#components/ui/display/card.tsx';
import { SortHead } from '#components/ui/display/sort-head.tsx';
import { Table, TableHead } from '#components/ui/display/table.tsx';
import { SkeletonRows } from '#components/ui/feedback/skeleton-rows.tsx';
import { Checkbox } from '#components/ui/form/checkbox.tsx';
import type { MemberSearch } from '#lib/client/members/members.ts';
import { MemberRow, type MemberRowsProps } from './row.tsx';

const WAITING = [
  { className: 'w-10 pr-0 pl-3' },
  { picture: 'size-8 rounded-full', width: 'h-3 w-44' },
  { width: 'w-20', className: 'px-2 2xl:px-3' },
  { width: 'w-14', className: 'px-2 2xl:px-3' },
  { width: 'w-24', className: 'px-2 2xl:px-3' },
  { width: 'w-16', className: 'px-2 2xl:px-3' },
  { width: 'w-20', className: 'px-2 2xl:px-3' },
  { width: 'w-20', className: 'px-2 2xl:px-3' },
  { width: 'w-22', className: 'px-2 2xl:px-3' },
  {},
];

export type MembersTableProps = MemberRowsProps & {
  rows: number;
  /** The rows belong to the view before this one. */
  stale: boolean;
  sort: MemberSearch['sort'];
  onSort: (sort: MemberSearch['sort']) => void;
};

export function MembersTable({ rows, stale, sort, onSort, ...view }: MembersTableProps) {
  const { members, selection } = view;
  const picked = members?.filter(({ id }) => selection.has(id)).length ?? 0;
  const full = picked > 0 && picked === members?.length;
  return (
    <Card className="hidden overflow-x-auto md:block">
      <Table aria-label="Members" aria-busy={!members || stale} className="min-w-200">
        <thead>
          <tr>
            <TableHead className="w-10 pr-0 pl-3">
              <Checkbox
                aria-label="Select this page"
                checked={full}
                indeterminate={picked > 0 && !full}
                disabled={!members}
                onCheckedChange={selection.setPage}
              />
            </TableHead>
            <SortHead
              label="Name"
              ascending="name"
              descending="-name"
              sort={sort}
              onSort={onSort}
              className="w-[32%] min-w-50 px-2 2xl:px-3"
            />
            <TableHead className="px-2 2xl:px-3">Type</TableHead>
            <TableHead className="px-2 2xl:px-3">Role</TableHead>
            <TableHead className="px-2 2xl:px-3">Policies</TableHead>
            <TableHead className="px-2 2xl:px-3">Status</TableHead>
            <TableHead className="px-2 2xl:px-3">Second factor</TableHead>
            <TableHead className="whitespace-nowrap px-2 2xl:px-3">Last active</TableHead>
            <SortHead
              lead="Joined"
              label="changed"
              ascending="_lastUpdated"
              descending="-_lastUpdated"
              sort={sort}
              onSort={onSort}
              className="whitespace-nowrap px-2 2xl:px-3"
            />
            <TableHead className="w-12">
              <span className="sr-only">Actions</span>
            </TableHead>
          </tr>
        </thead>
        <tbody className={cn('transition-opacity duration-150', stale && 'opacity-55')}>
          {members ? (
            members.map((member) => <MemberRow key={member.id} member={member} {...view} />)
          ) : (
            <SkeletonRows count={Math.min(rows, 10)} cells={WAITING} />
          )}
        </tbody>
      </Table>
    </Card>
  );
}
