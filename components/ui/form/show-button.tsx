import { Eye, EyeOff } from 'lucide-react';
import { cn } from '../cn.ts';

export type ShowButtonProps = {
  /** What it shows, in its label. */
  what: string;
  shown: boolean;
  onToggle: (shown: boolean) => void;
  className: string;
};

/** In the corner of a field whose text is hidden. */
export function ShowButton({ what, shown, onToggle, className }: ShowButtonProps) {
  const Icon = shown ? EyeOff : Eye;
  return (
    <button
      type="button"
      aria-label={`${shown ? 'Hide' : 'Show'} ${what}`}
      aria-pressed={shown}
      onClick={() => onToggle(!shown)}
      className={cn(
        'absolute right-1 grid place-items-center rounded-md text-muted hover:bg-hover hover:text-ink',
        className,
      )}
    >
      <Icon className="size-4" aria-hidden="true" />
    </button>
  );
}
