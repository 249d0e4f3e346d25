'use client';
import type { ReactNode } from 'react';
import { Button } from '#components/ui/button.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { Alert } from '#components/ui/feedback/alert.tsx';
import { Dialog } from '#components/ui/overlay/dialog.tsx';

export type ToldOnceProps = {
  title: string;
  /** By what is written before it: `{ Secret: '…' }`. */
  values: Record<string, string>;
  /** What helps who has lost it: “make another one”. */
  ifLost: string;
  onClose: () => void;
  /** How it is used. */
  children: ReactNode;
};

/** The one time that a secret is seen. Lives in the memory of who shows it and is gone with it. */
export function ToldOnce({ title, values, ifLost, onClose, children }: ToldOnceProps) {
  return (
    <Dialog
      open
      keep
      onOpenChange={(open) => open || onClose()}
      title={title}
      className="max-w-xl"
      footer={
        <Button variant="primary" onClick={onClose}>
          I have kept it
        </Button>
      }
    >
      <div className="flex flex-col gap-4 pt-1">
        <Alert tone="warn" title="Copy it now">
          Only its fingerprint is stored. Nobody can show it again; if it is lost, {ifLost}.
        </Alert>
        <dl className="divide-y divide-line rounded-lg border border-line">
          {Object.entries(values).map(([label, value]) => (
            <div key={label} className="flex min-h-11 items-center gap-3 py-1 pr-1 pl-3">
              <dt className="w-20 shrink-0 text-muted">{label}</dt>
              <dd className="min-w-0 flex-1 break-all font-mono text-xs">{value}</dd>
              <dd>
                <CopyButton value={value} label={`Copy ${label.toLowerCase()}`} />
              </dd>
            </div>
          ))}
        </dl>
        {children}
      </div>
    </Dialog>
  );
}
