'use client';
import { parseAsInteger, parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';
import type { InviteSearch } from '#lib/client/invites/invites.ts';
import { INVITE_STATUSES } from '#lib/protocol/requests/invite-statuses.ts';

const parsers = {
  status: parseAsStringLiteral(INVITE_STATUSES).withDefault('pending'),
  q: parseAsString.withDefault(''),
  page: parseAsInteger.withDefault(1),
};

/** The invites view as the URL says it; every change but turning the page starts at page 1 again. */
export function useInviteSearch() {
  const [raw, setRaw] = useQueryStates(parsers, { history: 'push' });
  const search: InviteSearch = { ...raw, page: Math.max(1, raw.page) };
  const change = (next: Partial<InviteSearch>) => void setRaw({ ...next, page: next.page ?? null });
  return { search, change };
}
