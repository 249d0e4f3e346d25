'use client';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { Button } from '#components/ui/button.tsx';
import { Select } from '#components/ui/select.tsx';
import { type MemberSearch, PAGE_SIZES } from '#lib/client/members.ts';

const SIZES = PAGE_SIZES.map((size) => ({ value: String(size), label: `${size} a page` }));

export type MembersPagerProps = { search: MemberSearch; total: number; change: (next: Partial<MemberSearch>) => void };

export function MembersPager({ search, total, change }: MembersPagerProps) {
  const first = (search.page - 1) * search.size + 1;
  const last = Math.min(total, search.page * search.size);
  return (
    <nav aria-label="Pages" className="mt-3 flex flex-wrap items-center gap-2 text-muted tabular-nums">
      <p className="mr-auto px-1 text-[0.8125rem]">
        {first.toLocaleString('en')}–{last.toLocaleString('en')} of {total.toLocaleString('en')}
      </p>
      {total > PAGE_SIZES[0] ? (
        <>
          <Select
            aria-label="Rows on a page"
            value={String(search.size)}
            options={SIZES}
            onValueChange={(value) => change({ size: PAGE_SIZES.find((size) => String(size) === value) })}
            className="h-8 text-[0.8125rem]"
          />
          <Button
            size="icon-sm"
            aria-label="Previous page"
            disabled={search.page === 1}
            onClick={() => change({ page: search.page - 1 })}
          >
            <ChevronLeft aria-hidden="true" />
          </Button>
          <Button
            size="icon-sm"
            aria-label="Next page"
            disabled={last >= total}
            onClick={() => change({ page: search.page + 1 })}
          >
            <ChevronRight aria-hidden="true" />
          </Button>
        </>
      ) : null}
    </nav>
  );
}
