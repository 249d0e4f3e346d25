import Link from 'next/link';
import type { ReactNode } from 'react';
import { Card } from '#components/ui/display/card.tsx';

export type PanelProps = {
  id: string;
  title: string;
  /** Where all of it stands. */
  more?: { label: string; href: string };
  children: ReactNode;
};

/** A list of the overview under its heading. */
export function Panel({ id, title, more, children }: PanelProps) {
  return (
    <section aria-labelledby={id} className="min-w-0">
      <div className="mb-2.5 flex min-h-6 items-center justify-between gap-3">
        <h2 id={id} className="font-semibold text-[0.9375rem]">
          {title}
        </h2>
        {more ? (
          <Link
            href={more.href}
            className="rounded-sm text-[0.8125rem] text-accent-text leading-6 underline-offset-3 hover:underline"
          >
            {more.label}
          </Link>
        ) : null}
      </div>
      <Card>{children}</Card>
    </section>
  );
}
