'use client';
import { Button } from '#components/ui/button.tsx';
import { Alert } from '#components/ui/feedback/alert.tsx';

export type SaveConflictProps = {
  /** What differs, in words. */
  rows: readonly { label: string; mine: string; theirs: string }[];
  onKeepMine: () => void;
  onTakeTheirs: () => void;
};

/** Someone else saved first: both states side by side, and a choice. */
export function SaveConflict({ rows, onKeepMine, onTakeTheirs }: SaveConflictProps) {
  return (
    <Alert tone="warn" title="Someone else saved this meanwhile" className="mt-5">
      <p>Nothing was overwritten. Choose what stays.</p>
      <table className="mt-3 w-full text-left text-ink">
        <thead>
          <tr className="text-muted text-xs">
            <th scope="col" className="py-1 pr-3 font-medium">
              <span className="sr-only">Field</span>
            </th>
            <th scope="col" className="py-1 pr-3 font-medium">
              Yours
            </th>
            <th scope="col" className="py-1 font-medium">
              Stored now
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ label, mine, theirs }) => (
            <tr key={label} className="align-top">
              <th scope="row" className="py-1 pr-3 font-medium">
                {label}
              </th>
              <td className="py-1 pr-3">{mine || 'Empty'}</td>
              <td className="py-1">{theirs || 'Empty'}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button size="sm" onClick={onTakeTheirs}>
          Take what is stored
        </Button>
        <Button size="sm" variant="primary" onClick={onKeepMine}>
          Save mine
        </Button>
      </div>
    </Alert>
  );
}
