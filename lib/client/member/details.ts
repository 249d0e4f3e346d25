'use client';
import { useQuery } from '@tanstack/react-query';
import type { MemberInvite } from '#lib/protocol/answers/member-invite.ts';
import { api } from '../api/api.ts';
import { ApiError } from '../api/api-error.ts';
import { keys } from '../api/query-keys.ts';

export function useMemberInvite(projectId: string, membershipId: string) {
  return useQuery({
    queryKey: [...keys.member(projectId, membershipId), 'invite'],
    queryFn: ({ signal }) =>
      api<MemberInvite>(`/admin/projects/${projectId}/members/${membershipId}/invite`, { signal }),
  });
}

/** Whether the record that a membership stands for is still there. `reference`: "Patient/id". */
export function useProfileState(projectId: string, membershipId: string, reference: string | undefined) {
  return useQuery({
    queryKey: [...keys.member(projectId, membershipId), 'profile', reference],
    enabled: reference !== undefined,
    queryFn: async ({ signal }): Promise<'there' | 'missing'> => {
      try {
        await api(`/fhir/R4/${reference}`, { signal });
        return 'there';
      } catch (error) {
        if (error instanceof ApiError && (error.status === 404 || error.status === 410)) return 'missing';
        throw error;
      }
    },
  });
}
