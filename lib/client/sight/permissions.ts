'use client';
import { useQuery } from '@tanstack/react-query';
import type { MemberPermissions, Permissions } from '#lib/protocol/policies/answers.ts';
import { api } from '../api/api.ts';
import { keys } from '../api/query-keys.ts';

/** What a member may do, for an administrator: asked again when the membership becomes another version. */
export function usePermissions(projectId: string, membershipId: string, version: string | undefined) {
  return useQuery({
    queryKey: [...keys.member(projectId, membershipId), 'permissions', version],
    queryFn: ({ signal }) =>
      api<MemberPermissions>(`/admin/projects/${projectId}/members/${membershipId}/permissions`, { signal }),
  });
}

/** What one may do oneself. */
export function useOwnPermissions() {
  return useQuery({
    queryKey: keys.ownPermissions,
    queryFn: ({ signal }) => api<Permissions>('/auth/me/permissions', { signal }),
  });
}
