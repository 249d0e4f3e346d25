import type { LucideIcon } from 'lucide-react';
import { cn } from '#components/ui/cn.ts';

/** The tile above the heading of a page that tells how something ended. */
export function DoorIcon({ icon: Icon, good = false }: { icon: LucideIcon; good?: boolean }) {
  return (
    <div
      className={cn(
        'mb-5 grid size-12 place-items-center rounded-2xl',
        good ? 'bg-accent-soft text-accent-text' : 'bg-sunken text-muted ring-1 ring-line ring-inset',
      )}
    >
      <Icon className="size-6" aria-hidden="true" />
    </div>
  );
}
