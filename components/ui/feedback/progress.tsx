import { cn } from '../cn.ts';

export type ProgressProps = { label: string; value: number; max: number; className?: string };

export function Progress({ label, value, max, className }: ProgressProps) {
  const share = max > 0 ? Math.min(1, value / max) : 0;
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={value}
      className={cn('h-1.5 w-full overflow-hidden rounded-full bg-line', className)}
    >
      <div
        className="h-full rounded-full bg-accent transition-[width] duration-300"
        style={{ width: `${(share * 100).toFixed(1)}%` }}
      />
    </div>
  );
}
