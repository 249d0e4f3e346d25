import { cn } from '#components/ui/cn.ts';

/** The arch of a gatehouse. */
export function Mark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" className={cn('size-6', className)}>
      <rect width="24" height="24" rx="6.5" className="fill-accent" />
      <path
        d="M6.75 18.25V12a5.25 5.25 0 0 1 10.5 0v6.25"
        fill="none"
        strokeWidth="2.1"
        strokeLinecap="round"
        className="stroke-accent-ink"
      />
      <path d="M12 18.25v-4.5" fill="none" strokeWidth="2.1" strokeLinecap="round" className="stroke-accent-ink" />
    </svg>
  );
}

export function Logo({ className }: { className?: string }) {
  return (
    <span
      className={cn('inline-flex items-center gap-2.5 font-semibold text-[0.9375rem] tracking-[-0.02em]', className)}
    >
      <Mark />
      Gatehouse
    </span>
  );
}
