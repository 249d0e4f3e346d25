'use client';
import { ConfirmDialog } from '#components/ui/overlay/confirm-dialog.tsx';
import type { ApiIssue } from '#lib/client/api/api-error.ts';

type RollBackAnywayProps = {
  number: number;
  /** What was refused, and of each sample why. */
  issues: readonly ApiIssue[];
  onConfirm: () => Promise<void>;
  onClose: () => void;
};

/** An earlier version does not do what the samples expect by now: who knows that may go back to it all the same. */
export function RollBackAnyway({ number, issues: [first, ...samples], onConfirm, onClose }: RollBackAnywayProps) {
  return (
    <ConfirmDialog
      title={`Roll back to version ${number}?`}
      confirm="Roll back all the same"
      danger
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <p>{first?.text}</p>
      {samples.length > 0 ? (
        <ul aria-label="Samples" className="list-disc pl-5 text-ink [overflow-wrap:anywhere]">
          {samples.map(({ text }) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      ) : null}
      <p>The audit log will say that you knew.</p>
    </ConfirmDialog>
  );
}
