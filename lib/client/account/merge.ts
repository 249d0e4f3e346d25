'use client';
import { useQueryClient } from '@tanstack/react-query';
import type { Merge, MergeBegun } from '#lib/protocol/account-merge/answers.ts';
import type { MergeRequest } from '#lib/protocol/account-merge/requests.ts';
import { api } from '../api/api.ts';
import { keys } from '../api/query-keys.ts';

/** The first step of a sign-in to the other account. 400 names email or password; 409 where it cannot be shown. */
export function beginMerge(body: MergeRequest): Promise<MergeBegun> {
  return api<MergeBegun>('/auth/merge', { method: 'POST', body });
}

/** Mails the code of the other account to its own address. */
export async function mailMergeCode(handle: string): Promise<void> {
  await api('/auth/merge/code', { method: 'POST', body: { handle } });
}

/** Its second step, and what merging does. 409 says what stands against it. */
export function showMerge(body: { handle: string; token: string }): Promise<Merge> {
  return api<Merge>('/auth/merge/verify', { method: 'POST', body });
}

export function useConfirmMerge(): (handle: string) => Promise<Merge> {
  const cache = useQueryClient();
  return async (handle) => {
    const done = await api<Merge>('/auth/merge/confirm', { method: 'POST', body: { handle } });
    await Promise.all([keys.memberships, keys.me].map((queryKey) => cache.invalidateQueries({ queryKey })));
    return done;
  };
}
