'use client';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { MAX_OFFSET } from '#lib/protocol/max-offset.ts';
import { Button } from '../button.tsx';

export type PagerProps = {
  /** From 1. */
  page: number;
  size: number;
  total: number;
  onPage: (page: number) => void;
  /** Stands before the arrows: how many rows a page has. */
  children?: ReactNode;
};

/** Which rows of how many, and the way to the others; the arrows only when there are any. */
export function Pager({ page, size, total, onPage, children }: PagerProps) {
  const first = (page - 1) * size + 1;
  const last = Math.min(total, page * size);
  const isEnd = page * size > MAX_OFFSET && last < total;
  return (
    <nav aria-label="Pages" className="mt-3 flex flex-wrap items-center gap-2 text-muted tabular-nums">
      <p className="mr-auto px-1 text-[0.8125rem]">
        {first.toLocaleString('en')}–{last.toLocaleString('en')} of {total.toLocaleString('en')}
        {isEnd ? '. Search or filter to see the others.' : null}
      </p>
      {children}
      {total > size || page > 1 ? (
        <>
          <Button size="icon-sm" aria-label="Previous page" disabled={page === 1} onClick={() => onPage(page - 1)}>
            <ChevronLeft aria-hidden="true" />
          </Button>
          <Button
            size="icon-sm"
            aria-label="Next page"
            disabled={last >= total || isEnd}
            onClick={() => onPage(page + 1)}
          >
            <ChevronRight aria-hidden="true" />
          </Button>
        </>
      ) : null}
    </nav>
  );
}
