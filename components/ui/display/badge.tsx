import { cva, type VariantProps } from 'class-variance-authority';
import type { ReactNode } from 'react';
import { cn } from '../cn.ts';

const badgeClass = cva(
  'inline-flex h-5.5 max-w-full items-center gap-1.5 truncate rounded-md px-1.5 font-medium text-xs',
  {
    variants: {
      tone: {
        neutral: 'bg-sunken text-muted ring-1 ring-line ring-inset',
        accent: 'bg-accent-soft text-accent-text',
        good: 'bg-good-soft text-good-text',
        warn: 'bg-warn-soft text-warn-text',
        danger: 'bg-danger-soft text-danger-text',
        info: 'bg-info-soft text-info-text',
      },
    },
    defaultVariants: { tone: 'neutral' },
  },
);

/** A state in a word; the dot doubles the colour, the word carries the meaning. */
export function Badge({
  tone,
  dot = false,
  className,
  children,
}: VariantProps<typeof badgeClass> & { dot?: boolean; className?: string; children: ReactNode }) {
  return (
    <span className={cn(badgeClass({ tone }), className)}>
      {dot ? <span className="size-1.5 shrink-0 rounded-full bg-current" aria-hidden="true" /> : null}
      {children}
    </span>
  );
}
