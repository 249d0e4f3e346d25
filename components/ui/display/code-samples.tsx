'use client';
import { useState } from 'react';
import { cn } from '../cn.ts';
import { CopyButton } from '../copy-button.tsx';

type CodeSample = { label: string; code: string };

export type CodeSamplesProps = {
  /** What the samples do: "Create this client". */
  label: string;
  /** The same call in several languages, or several files of one thing. */
  samples: readonly CodeSample[];
  className?: string;
};

/** Code to copy, one language at a time. */
export function CodeSamples({ label, samples, className }: CodeSamplesProps) {
  const [shown, show] = useState(samples[0]?.label);
  const sample = samples.find((each) => each.label === shown) ?? samples[0];
  if (!sample) return null;
  return (
    <section aria-label={label} className={cn('min-w-0 overflow-hidden rounded-lg border border-line', className)}>
      <div className="flex h-10 items-center gap-1 border-line border-b bg-sunken/60 pr-1 pl-1.5">
        {samples.map((each) => (
          <button
            key={each.label}
            type="button"
            aria-pressed={each === sample}
            onClick={() => show(each.label)}
            className="h-7 rounded-md px-2 font-medium text-[0.8125rem] text-muted hover:text-ink aria-pressed:bg-surface aria-pressed:text-ink aria-pressed:shadow-card aria-pressed:ring-1 aria-pressed:ring-line"
          >
            {each.label}
          </button>
        ))}
        <CopyButton value={sample.code} label={`Copy ${sample.label}`} className="ml-auto" />
      </div>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by key (WCAG 2.1.1).
        tabIndex={0}
        className="overflow-x-auto bg-surface p-3 font-mono text-xs leading-5 focus-visible:-outline-offset-2"
      >
        <code>{sample.code}</code>
      </pre>
    </section>
  );
}
