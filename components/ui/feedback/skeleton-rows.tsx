import { TableCell, TableRow } from '../display/table.tsx';
import { Skeleton } from './skeleton.tsx';

export type WaitingCell = {
  /** Class of the skeleton: its width. Nothing stands in a cell without one. */
  width?: string;
  /** Class of a picture at the left: the cell holds a name and, of this width, a line below it. */
  picture?: string;
  className?: string;
};

/** The rows of a table whose data is on its way, in its true shape. Invisible for the first 150 ms. */
export function SkeletonRows({ count, cells }: { count: number; cells: readonly WaitingCell[] }) {
  return Array.from({ length: count }, (_, row) => row).map((row) => (
    <TableRow key={row}>
      {cells.map(({ width, picture, className }, cell) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the columns of a table stay where they are.
        <TableCell key={cell} className={className}>
          <div className="flex animate-late items-center gap-3">
            {picture ? <Named picture={picture} width={width} /> : width ? <Skeleton className={width} /> : null}
          </div>
        </TableCell>
      ))}
    </TableRow>
  ));
}

function Named({ picture, width }: WaitingCell) {
  return (
    <>
      <Skeleton className={picture} />
      <div className="flex flex-col gap-1.5">
        <Skeleton className="h-3.5 w-36" />
        <Skeleton className={width} />
      </div>
    </>
  );
}
