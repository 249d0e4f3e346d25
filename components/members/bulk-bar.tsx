'use client';
import dynamic from 'next/dynamic';
import { useEffect, useState } from 'react';
import type { Selection } from '#components/frame/use-selection.ts';
import { Button } from '#components/ui/button.tsx';
import { DialogLoading } from '#components/ui/overlay/loading.tsx';
import { rescueFocus } from '#components/ui/overlay/rescue-focus.ts';
import type { MemberJob } from '#lib/protocol/requests/bulk-job.ts';

const BulkDialog = dynamic(() => import('./bulk-dialog.tsx').then((module) => module.BulkDialog), {
  ssr: false,
  loading: DialogLoading,
});

const CaregiversDialog = dynamic(
  () => import('#components/caregivers/caregivers-dialog.tsx').then((module) => module.CaregiversDialog),
  { ssr: false, loading: DialogLoading },
);

const ACTIONS: readonly [MemberJob, string][] = [
  ['deactivate', 'Deactivate'],
  ['reactivate', 'Reactivate'],
  ['promote', 'Make admins'],
  ['demote', 'Make members'],
  ['resend', 'Invite again'],
  ['remove', 'Remove'],
];

export type BulkBarProps = {
  projectId: string;
  selection: Selection;
  /** How many the view matches, on all its pages, and the search that says which. */
  total: number;
  filter: string;
};

/** Appears with the first selected row, below the rows, so that none of them moves; what it starts runs on the server. */
export function BulkBar({ projectId, selection, total, filter }: BulkBarProps) {
  const [asking, setAsking] = useState<MemberJob>();
  const [givesPatients, setGivesPatients] = useState(false);
  // Its own buttons take it away, and the focus with it.
  useEffect(() => () => rescueFocus(), []);
  const count = selection.all ? total : selection.ids.size;
  return (
    <section
      aria-label="Selected members"
      className="relative flex flex-wrap items-center gap-x-1 gap-y-2 rounded-xl border border-line bg-raised px-3 py-2 shadow-pop"
    >
      <p role="status" className="mr-2 px-1 font-medium tabular-nums">
        {count.toLocaleString('en')} selected
      </p>
      {!selection.all && total > count ? (
        <Button variant="link" size="sm" className="mr-2" onClick={selection.chooseAll}>
          Select all {total.toLocaleString('en')} that match
        </Button>
      ) : null}
      <div className="flex min-w-0 flex-wrap gap-x-1 max-sm:-mx-1 max-sm:w-full max-sm:flex-nowrap max-sm:overflow-x-auto max-sm:p-1">
        {ACTIONS.map(([kind, label]) => (
          <Button key={kind} variant="ghost" size="sm" onClick={() => setAsking(kind)}>
            {label}
          </Button>
        ))}
        {selection.all ? null : (
          <Button variant="ghost" size="sm" onClick={() => setGivesPatients(true)}>
            Patients…
          </Button>
        )}
      </div>
      <Button
        variant="ghost"
        size="sm"
        className="ml-auto max-sm:absolute max-sm:top-1 max-sm:right-2"
        onClick={selection.clear}
      >
        Clear
      </Button>
      {givesPatients ? (
        <CaregiversDialog projectId={projectId} members={[...selection.ids]} onClose={() => setGivesPatients(false)} />
      ) : null}
      {asking ? (
        <BulkDialog
          projectId={projectId}
          kind={asking}
          count={count}
          who={selection.all ? { search: filter } : { members: [...selection.ids] }}
          onClose={() => setAsking(undefined)}
          onStarted={selection.clear}
        />
      ) : null}
    </section>
  );
}
