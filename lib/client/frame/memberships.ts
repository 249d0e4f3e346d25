'use client';
import { useQuery } from '@tanstack/react-query';
import type { OwnMembership, OwnMemberships } from '#lib/protocol/answers/own-memberships.ts';
import { api } from '../api/api.ts';
import { whilePending } from '../api/pending.ts';
import { keys } from '../api/query-keys.ts';

/** Every project that the signed-in person belongs to. */
export function useOwnMemberships(enabled: boolean) {
  return useQuery({
    queryKey: keys.memberships,
    enabled,
    queryFn: async ({ signal }) => (await api<OwnMemberships>('/auth/memberships', { signal })).memberships,
    staleTime: 60_000,
  });
}

/** Opens another project of the same person: a login of its own, in the place of this one. Leaves by a full page load. */
export function switchProject(membership: OwnMembership): Promise<void> {
  // What signs in comes with the press.
  return whilePending(async () => (await import('./enter-project.ts')).enterProject(membership));
}
