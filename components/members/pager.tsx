'use client';
import { Pager } from '#components/ui/display/pager.tsx';
import { FilterSelect } from '#components/ui/form/filter-select.tsx';
import { type MemberSearch, PAGE_SIZES } from '#lib/client/members/members.ts';

const SIZES = PAGE_SIZES.map((size) => ({ value: String(size), label: `${size} a page` }));

export type MembersPagerProps = { search: MemberSearch; total: number; change: (next: Partial<MemberSearch>) => void };

export function MembersPager({ search, total, change }: MembersPagerProps) {
  return (
    <Pager page={search.page} size={search.size} total={total} onPage={(page) => change({ page })}>
      {total > PAGE_SIZES[0] ? (
        <FilterSelect
          aria-label="Rows on a page"
          value={String(search.size)}
          options={SIZES}
          onValueChange={(value) => change({ size: PAGE_SIZES.find((size) => String(size) === value) })}
          className="h-8 text-[0.8125rem]"
        />
      ) : null}
    </Pager>
  );
}
