'use client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../api/api.ts';
import { keys } from '../api/query-keys.ts';

/** Ends the person's other sessions too. 400 names oldPassword or newPassword. */
export function useChangePassword() {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (body: { oldPassword: string; newPassword: string }) =>
      api('/auth/changepassword', { method: 'POST', body }),
    onSuccess: () => cache.invalidateQueries({ queryKey: keys.me }),
  });
}

export function useEndSessions() {
  const cache = useQueryClient();
  return useMutation({
    // Several are all others: those too that the list is too short for.
    mutationFn: ([loginId, ...more]: string[]) =>
      more.length > 0
        ? api('/auth/revoke/others', { method: 'POST' })
        : api('/auth/revoke', { method: 'POST', body: { loginId } }),
    meta: { about: (ids: string[]) => ids },
    onSettled: () => cache.invalidateQueries({ queryKey: keys.me }),
  });
}
