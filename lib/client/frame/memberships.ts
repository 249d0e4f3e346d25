'use client';
import { useQuery } from '@tanstack/react-query';
import type { LoginCode } from '#lib/protocol/answers/login.ts';
import type { OwnMembership, OwnMemberships } from '#lib/protocol/answers/own-memberships.ts';
import { api } from '../api/api.ts';
import { whilePending } from '../api/pending.ts';
import { keys } from '../api/query-keys.ts';
import { makePkce } from '../door/pkce.ts';
import { finishSignIn } from '../door/sign-in.ts';

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
export async function switchProject(membership: OwnMembership): Promise<void> {
  return whilePending(() => enter(membership));
}

async function enter(membership: OwnMembership): Promise<void> {
  const { codeVerifier, codeChallenge, codeChallengeMethod } = await makePkce();
  const { login, code } = await api<LoginCode>('/auth/switch', {
    method: 'POST',
    body: { membership: membership.id, codeChallenge, codeChallengeMethod },
  });
  await finishSignIn({ pkce: { codeVerifier, codeChallenge, codeChallengeMethod }, login }, code);
  window.location.assign(`/p/${membership.project.reference?.split('/')[1] ?? ''}`);
}
