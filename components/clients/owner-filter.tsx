'use client';
import { FilterSelect } from '#components/ui/form/filter-select.tsx';
import type { ClientRow } from '#lib/protocol/answers/clients.ts';

export const ANY = '';
/** Nobody is responsible, or somebody who is gone. */
const OPEN = 'open';

export function isOf({ owner }: ClientRow, chosen: string): boolean {
  if (chosen === ANY) return true;
  return chosen === OPEN ? !owner || owner.hasLeft : owner?.membershipId === chosen;
}

type Props = { rows: ClientRow[] | undefined; owner: string; onOwner: (owner: string) => void };

/** Whose clients are shown. */
export function OwnerFilter({ rows = [], owner, onOwner }: Props) {
  const owners = new Map(rows.flatMap((row) => (row.owner ? [[row.owner.membershipId, row.owner.name]] : [])));
  const options = [
    { value: ANY, label: 'Whoever is responsible' },
    { value: OPEN, label: 'Nobody, or who has left' },
    ...[...owners].map(([value, label]) => ({ value, label })).sort((a, b) => a.label.localeCompare(b.label)),
  ];
  return (
    <FilterSelect
      aria-label="Responsible"
      value={owner}
      onValueChange={onOwner}
      options={options}
      className="mb-3 w-full sm:w-64"
    />
  );
}
