import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { cn } from '../cn.ts';

const TONES = {
  info: { icon: Info, className: 'bg-info-soft text-info-text' },
  good: { icon: CircleCheck, className: 'bg-good-soft text-good-text' },
  warn: { icon: TriangleAlert, className: 'bg-warn-soft text-warn-text' },
  danger: { icon: CircleAlert, className: 'bg-danger-soft text-danger-text' },
};

export type AlertProps = { tone?: keyof typeof TONES; title?: ReactNode; children?: ReactNode; className?: string };

/** A message beside what it is about. `danger` interrupts a screen reader, the others wait their turn. */
export function Alert({ tone = 'info', title, children, className }: AlertProps) {
  const { icon: Icon, className: toneClass } = TONES[tone];
  return (
    <div
      role={tone === 'danger' ? 'alert' : 'status'}
      className={cn('flex animate-rise gap-2.5 rounded-xl px-3.5 py-3 text-sm', toneClass, className)}
    >
      <Icon className="mt-0.5 size-4 shrink-0" aria-hidden="true" />
      <div className="min-w-0 flex-1">
        {title ? <p className="font-semibold">{title}</p> : null}
        {children ? <div className="break-words [&_a]:underline [&_a]:underline-offset-2">{children}</div> : null}
      </div>
    </div>
  );
}
