'use client';
import type { LoginResult } from '#lib/protocol/answers/login.ts';
import type { OwnMembership } from '#lib/protocol/answers/own-memberships.ts';
import { api } from '../api/api.ts';
import { makePkce } from '../door/pkce.ts';
import { finishSignIn } from '../door/sign-in.ts';

/** Signs in to the project of this membership, and goes there; by way of the sign-in page when it asks for a second factor that was not proven. */
export async function enterProject(membership: OwnMembership): Promise<void> {
  const pkce = await makePkce();
  const { codeChallenge, codeChallengeMethod } = pkce;
  const { login, code } = await api<LoginResult>('/auth/switch', {
    method: 'POST',
    body: { membership: membership.id, codeChallenge, codeChallengeMethod },
  });
  const projectId = membership.project.reference?.split('/')[1] ?? '';
  if (code === undefined) {
    const query = new URLSearchParams({ project: projectId, next: `/p/${projectId}`, reason: 'second-step' });
    window.location.assign(`/signin?${query}`);
    return;
  }
  await finishSignIn({ pkce, login }, code, true);
  window.location.assign(`/p/${projectId}`);
}
