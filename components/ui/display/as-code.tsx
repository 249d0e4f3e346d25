'use client';
import { useState } from 'react';
import { type ApiCall, toCodeSamples } from '#lib/client/api/code-samples.ts';
import { CodeSamples } from './code-samples.tsx';

export type AsCodeProps = {
  /** What the code does: "This invitation as code". */
  label: string;
  /** The request that the form would make as it stands. */
  call: () => ApiCall;
  className?: string;
};

/** The same request to paste elsewhere, before it is made. Closed until it is wanted. */
export function AsCode({ label, call, className }: AsCodeProps) {
  const [open, setOpen] = useState(false);
  return (
    <details className={className} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="w-fit font-medium text-muted hover:text-ink">As code</summary>
      {open ? (
        <CodeSamples label={label} className="mt-3" samples={toCodeSamples(window.location.origin, call())} />
      ) : null}
    </details>
  );
}
