'use client';
import { parseAsInteger, parseAsNumberLiteral, parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';
import {
  MEMBER_FACTORS,
  MEMBER_ROLES,
  MEMBER_SORTS,
  MEMBER_STATES,
  MEMBER_TYPES,
  type MemberSearch,
  PAGE_SIZES,
} from '#lib/client/members/members.ts';

const parsers = {
  type: parseAsStringLiteral(MEMBER_TYPES).withDefault('people'),
  role: parseAsStringLiteral(MEMBER_ROLES).withDefault('any'),
  status: parseAsStringLiteral(MEMBER_STATES).withDefault('any'),
  factor: parseAsStringLiteral(MEMBER_FACTORS).withDefault('all'),
  policy: parseAsString.withDefault(''),
  sort: parseAsStringLiteral(MEMBER_SORTS).withDefault('name'),
  q: parseAsString.withDefault(''),
  page: parseAsInteger.withDefault(1),
  size: parseAsNumberLiteral(PAGE_SIZES).withDefault(20),
};

/** The members view as the URL says it; every change but turning the page starts at page 1 again. */
export function useMemberSearch() {
  const [raw, setRaw] = useQueryStates(parsers, { history: 'push' });
  const search: MemberSearch = { ...raw, page: Math.max(1, raw.page) };
  const change = (next: Partial<MemberSearch>) => void setRaw({ ...next, page: next.page ?? null });
  const clear = () =>
    void setRaw({ type: null, role: null, status: null, factor: null, policy: null, q: null, page: null });
  const { q, type, role, status, factor, policy } = search;
  const narrowed = role !== 'any' || status !== 'any' || factor !== 'all' || policy !== '';
  const filtered = q !== '' || type !== 'people' || narrowed;
  return { search, change, clear, filtered };
}
