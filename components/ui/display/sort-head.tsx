'use client';
import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react';
import { TableHead } from './table.tsx';

export type SortHeadProps<Sort extends string> = {
  label: string;
  /** What else the column holds, and is not sorted by. */
  lead?: string;
  ascending: Sort;
  descending: Sort;
  sort: Sort;
  onSort: (sort: Sort) => void;
  className?: string;
};

/** A column head that sorts: press again to turn the order round. */
export function SortHead<Sort extends string>({
  label,
  lead,
  ascending,
  descending,
  sort,
  onSort,
  className,
}: SortHeadProps<Sort>) {
  const order = sort === ascending ? 'ascending' : sort === descending ? 'descending' : 'none';
  const Icon = order === 'ascending' ? ArrowUp : order === 'descending' ? ArrowDown : ChevronsUpDown;
  return (
    <TableHead aria-sort={order} className={className}>
      {lead ? <span className="mr-2">{lead},</span> : null}
      <button
        type="button"
        onClick={() => onSort(order === 'ascending' ? descending : ascending)}
        className="-mx-1.5 inline-flex h-7 items-center gap-1 rounded-md px-1.5 hover:bg-hover hover:text-ink"
      >
        {label}
        <Icon className={order === 'none' ? 'size-3 opacity-50' : 'size-3 text-ink'} aria-hidden="true" />
      </button>
    </TableHead>
  );
}
