'use client';
import { Button } from '#components/ui/button.tsx';
import { Dialog } from '#components/ui/overlay/dialog.tsx';
import type { ApiIssue } from '#lib/client/api/api-error.ts';

export type BrokenTestsProps = {
  issues: readonly ApiIssue[];
  busy: boolean;
  /** What is done although they fail. */
  label: string;
  onAnyway: () => void;
  onClose: () => void;
};

/** Which tests of a policy stand against a save of it, before anybody saves it all the same. */
export function BrokenTests({ issues, busy, label, onAnyway, onClose }: BrokenTestsProps) {
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title="Tests stand against this"
      description="Nothing was saved. What is saved all the same stands in the audit log with these tests."
      footer={
        <>
          <Button variant="primary" onClick={onClose}>
            Keep editing
          </Button>
          <Button variant="danger" busy={busy} onClick={onAnyway}>
            {label}
          </Button>
        </>
      }
    >
      <ul aria-label="Tests that fail" className="flex flex-col gap-2 text-sm">
        {issues.map(({ text }) => (
          <li key={text} className="rounded-lg bg-warn-soft px-3 py-2 text-warn-text [overflow-wrap:anywhere]">
            {text}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
