'use client';
import dynamic from 'next/dynamic';
import { MembersCards } from './cards.tsx';
import { MembersPager } from './pager.tsx';
import type { MemberRowsProps } from './row.tsx';
import { MembersTable } from './table.tsx';
import type { MembersView } from './use-members-view.ts';

// Few lists are empty.
const NoMembers = dynamic(() => import('./empty.tsx').then((module) => module.NoMembers), { ssr: false });
const OnlyYou = dynamic(() => import('./empty.tsx').then((module) => module.OnlyYou), { ssr: false });

export type MembersListProps = { view: MembersView; rows: MemberRowsProps; onInvite: () => void };

/** The members as table and as cards, or why there is none of them here. */
export function MembersList({ view, rows, onInvite }: MembersListProps) {
  const { search, change, clear, filtered, page, stale } = view;
  if (page?.members.length === 0)
    return <NoMembers total={page.total} onFirst={() => change({ page: 1 })} onClear={clear} />;
  return (
    <>
      <MembersTable {...rows} rows={search.size} stale={stale} sort={search.sort} onSort={(sort) => change({ sort })} />
      <MembersCards {...rows} stale={stale} />
      {page ? <MembersPager search={search} total={page.total} change={change} /> : null}
      {page?.total === 1 && !filtered ? <OnlyYou onInvite={onInvite} /> : null}
    </>
  );
}
