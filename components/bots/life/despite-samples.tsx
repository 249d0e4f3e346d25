'use client';
import { ConfirmDialog } from '#components/ui/overlay/confirm-dialog.tsx';
import type { ApiIssue } from '#lib/client/api/api-error.ts';

type DespiteSamplesProps = {
  title: string;
  /** What the button says. */
  confirm: string;
  /** What was refused, and of each sample why. */
  issues: readonly ApiIssue[];
  onConfirm: () => Promise<void>;
  onClose: () => void;
};

/** A version does not do what the samples expect: who knows that may have it run all the same. */
export function DespiteSamples({
  title,
  confirm,
  issues: [first, ...samples],
  onConfirm,
  onClose,
}: DespiteSamplesProps) {
  return (
    <ConfirmDialog title={title} confirm={confirm} danger onConfirm={onConfirm} onClose={onClose}>
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
