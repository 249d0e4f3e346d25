'use client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { MemberSession, MemberSessions } from '#lib/protocol/answers/member-sessions.ts';
import { api } from '../api/api.ts';
import { keys } from '../api/query-keys.ts';

export function useMemberSessions(projectId: string, membershipId: string) {
  return useQuery({
    queryKey: [...keys.member(projectId, membershipId), 'sessions'],
    queryFn: ({ signal }) => api<MemberSessions>(toPath(projectId, membershipId), { signal }),
  });
}

/** Which session ends; `leaving`: the one that asks is among them, so there is nobody left to read anything again. */
export type SessionEnd = { session: MemberSession | 'all'; leaving: boolean };

/** Ends one session, or all of them. Tokens are refused from the answer on. */
export function useEndMemberSessions(projectId: string, membershipId: string) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: ({ session }: SessionEnd) =>
      api(`${toPath(projectId, membershipId)}${session === 'all' ? '' : `/${session.id}`}`, { method: 'DELETE' }),
    meta: { about: ({ session }: SessionEnd) => (session === 'all' ? [] : [session.id]) },
    onSettled: async (_body, _error, { leaving }) => {
      const stale = leaving ? [] : [keys.members(projectId), keys.activity(projectId)];
      await Promise.all(stale.map((queryKey) => cache.invalidateQueries({ queryKey })));
    },
  });
}

function toPath(projectId: string, membershipId: string): string {
  return `/admin/projects/${projectId}/members/${membershipId}/sessions`;
}
