'use client';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { HandedOver, InviteList, InviteRow } from '#lib/protocol/answers/invites.ts';
import type { InviteStatusName } from '#lib/protocol/requests/invite-statuses.ts';
import { api } from '../api/api.ts';
import { keys } from '../api/query-keys.ts';

export type InviteSearch = { status: InviteStatusName; q: string; page: number };
export const INVITES_PAGE_SIZE = 50;

export function useInvites(projectId: string, search: InviteSearch) {
  return useQuery({
    queryKey: [...keys.invites(projectId), 'list', search],
    queryFn: ({ signal }) => findInvites(projectId, search, signal),
    placeholderData: keepPreviousData,
  });
}

/** How the invitations of these members stand, by membership; at most 200. Who was never invited is not in it. */
export function useInvitesOf(projectId: string, membershipIds: readonly string[]) {
  const ids = membershipIds.join(',');
  return useQuery({
    queryKey: [...keys.invites(projectId), 'of', ids],
    enabled: ids !== '',
    queryFn: async ({ signal }): Promise<Map<string, InviteRow>> => {
      const path = `/admin/projects/${projectId}/invites?membership=${ids}&_count=200`;
      const { rows } = await api<InviteList>(path, { signal });
      return new Map(rows.map((row) => [row.membershipId, row]));
    },
  });
}

function findInvites(projectId: string, { status, q, page }: InviteSearch, signal: AbortSignal): Promise<InviteList> {
  const params = new URLSearchParams({ status, _count: String(INVITES_PAGE_SIZE) });
  if (q) params.set('q', q);
  if (page > 1) params.set('_offset', String((page - 1) * INVITES_PAGE_SIZE));
  return api<InviteList>(`/admin/projects/${projectId}/invites?${params}`, { signal });
}

/** The link dies and the membership becomes inactive. */
export async function revokeInvite(projectId: string, linkId: string): Promise<InviteRow> {
  return post(projectId, linkId, 'revoke');
}

/** `days` from now, 1 to 30. */
export async function extendInvite(projectId: string, linkId: string, days: number): Promise<InviteRow> {
  return post(projectId, linkId, 'extend', { days });
}

/** A link to hand over, told this once; the mailed one dies. */
export async function handOverInvite(projectId: string, linkId: string): Promise<HandedOver> {
  return post(projectId, linkId, 'link');
}

/** The invitation goes to another address, which becomes the one to sign in with. Throws ApiError 409 once the person has come. */
export async function correctInvite(projectId: string, membershipId: string, email: string): Promise<void> {
  const path = `/admin/projects/${projectId}/members/${membershipId}/invite/address`;
  await api(path, { method: 'POST', body: { email } });
}

function post<Body>(projectId: string, linkId: string, verb: string, body: object = {}): Promise<Body> {
  return api<Body>(`/admin/projects/${projectId}/invites/${linkId}/${verb}`, { method: 'POST', body });
}
