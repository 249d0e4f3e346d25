'use client';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { type ReactNode, useRef } from 'react';
import { Button } from '#components/ui/button.tsx';
import { buttonClass } from '#components/ui/button-class.ts';
import { Kbd } from '#components/ui/display/kbd.tsx';
import { Sheet } from '#components/ui/overlay/sheet.tsx';
import { NOT_MINE, useKeys } from './use-keys.ts';
import type { Peek } from './use-peek.ts';

export type PeekSheetProps = {
  peek: Peek;
  title: string;
  /** Above the facts: badges, a line of description. */
  head?: ReactNode;
  /** Label and value; without a value it is left out. */
  facts: readonly (readonly [label: string, value: ReactNode])[];
  /** Where "Open" leads; missing where there is nothing more to see. */
  href?: string;
};

/** The essentials of one row, while the list keeps its place. j and k go on to the next, Space closes. */
export function PeekSheet({ peek, title, head, facts, href }: PeekSheetProps) {
  const open = useRef<HTMLAnchorElement>(null);
  const close = useRef<HTMLButtonElement>(null);
  const router = useRouter();
  useKeys(
    {
      j: () => peek.step(1),
      k: () => peek.step(-1),
      // In the place of the entry that stands for this sheet: Back leads to the list.
      e: () => href && router.replace(href),
      // On a button of the sheet, Space presses it.
      ' ': () => (document.activeElement?.matches('button') ? NOT_MINE : peek.close()),
    },
    { inDialog: true },
  );
  return (
    <Sheet
      open
      onOpenChange={(on) => on || peek.close()}
      initialFocus={href ? open : close}
      title={title}
      className="max-w-md"
      footer={
        <>
          <p className="mr-auto hidden items-center gap-1.5 text-muted text-xs sm:flex">
            <Kbd>j</Kbd>
            <Kbd>k</Kbd>
            next, previous
          </p>
          {href ? (
            <Link ref={open} replace href={href} className={buttonClass({ variant: 'primary' })}>
              Open
            </Link>
          ) : (
            <Button ref={close} onClick={peek.close}>
              Close
            </Button>
          )}
        </>
      }
    >
      <div aria-live="polite" className="flex flex-col gap-5 px-6 py-5">
        {head}
        <dl className="grid grid-cols-[7.5rem_minmax(0,1fr)] gap-x-4 gap-y-3">
          {facts.map(([label, value]) =>
            value === undefined || value === null || value === false || value === '' ? null : (
              <div key={label} className="contents">
                <dt className="text-muted">{label}</dt>
                <dd className="min-w-0 break-words">{value}</dd>
              </div>
            ),
          )}
        </dl>
      </div>
    </Sheet>
  );
}
