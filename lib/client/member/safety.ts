'use client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { MemberSafety } from '#lib/protocol/safety/answers.ts';
import { api } from '../api/api.ts';
import { keys } from '../api/query-keys.ts';

/** `since`: an instant. */
export function useMemberSafety(projectId: string, membershipId: string, since: string) {
  return useQuery({
    queryKey: [...keys.member(projectId, membershipId), 'safety', since],
    queryFn: ({ signal }) =>
      api<MemberSafety>(`${toPath(projectId, membershipId)}/safety?${new URLSearchParams({ since })}`, { signal }),
  });
}

export type SafetyAct = 'lock' | 'release' | 'secure';

/** Shuts somebody out, lets them in again, or ends all that their account proves itself by. */
export function useSafetyAct(projectId: string, membershipId: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (act: SafetyAct) => api(`${toPath(projectId, membershipId)}/${act}`, { method: 'POST' }),
    meta: { about: () => [membershipId] },
    onSettled: () =>
      Promise.all(
        [keys.members(projectId), keys.facts(projectId), keys.activity(projectId)].map((queryKey) =>
          cache.invalidateQueries({ queryKey }),
        ),
      ),
  });
}

function toPath(projectId: string, membershipId: string): string {
  return `/admin/projects/${projectId}/members/${membershipId}`;
}
