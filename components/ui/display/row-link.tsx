'use client';
import { type FetchQueryOptions, useQueryClient } from '@tanstack/react-query';
import Link from 'next/link';
import type { ComponentProps } from 'react';
import { LinkPending } from './link-pending.tsx';

export type RowLinkProps<Data, Key extends readonly unknown[]> = ComponentProps<typeof Link> & {
  /** What the page behind it asks first. */
  query: FetchQueryOptions<Data, Error, Data, Key>;
};

/** The name in a row, leading to its page: what that asks is on its way as soon as pointer or focus come to the name. */
export function RowLink<Data, Key extends readonly unknown[]>({ query, ...link }: RowLinkProps<Data, Key>) {
  const queries = useQueryClient();
  const prefetch = () => void queries.prefetchQuery(query);
  const { children, ...rest } = link;
  return (
    <Link data-row-link="" onPointerEnter={prefetch} onFocus={prefetch} {...rest}>
      {children}
      <LinkPending />
    </Link>
  );
}
