'use client';
import type { LoginCode } from '#lib/protocol/answers/login.ts';
import type { OwnMembership } from '#lib/protocol/answers/own-memberships.ts';
import { api } from '../api/api.ts';
import { makePkce } from '../door/pkce.ts';
import { finishSignIn } from '../door/sign-in.ts';

/** Signs in to the project of this membership, and goes there. */
export async function enterProject(membership: OwnMembership): Promise<void> {
  const pkce = await makePkce();
  const { codeChallenge, codeChallengeMethod } = pkce;
  const { login, code } = await api<LoginCode>('/auth/switch', {
    method: 'POST',
    body: { membership: membership.id, codeChallenge, codeChallengeMethod },
  });
  await finishSignIn({ pkce, login }, code);
  window.location.assign(`/p/${membership.project.reference?.split('/')[1] ?? ''}`);
}
