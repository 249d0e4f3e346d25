import type { Queryable } from '#lib/infra/db/client.ts';
import type { Ctx } from '../access/context.ts';
import { type Chosen, createLogin } from '../sign-in/create-login.ts';
import type { Choice } from '../sign-in/find-memberships.ts';
import { findNeed } from '../sign-in/gate.ts';
import { answerApp } from './answer-app.ts';
import { type AuthorizeRequest, refused } from './authorize-request.ts';
import type { Person } from './find-person.ts';

/** The app's address with a code, of a login of its own: it ends by itself, and the person's goes on. */
export async function issueCode(ctx: Ctx, request: AuthorizeRequest, person: Person, choice: Choice): Promise<string> {
  const { app, scope, nonce, codeChallenge, codeChallengeMethod, redirectUri, needsProof } = request;
  const chosen: Chosen = { projectId: choice.projectId, membershipId: choice.id };
  const fields = { clientId: app.id, scope, nonce, codeChallenge, codeChallengeMethod, redirectUri, needsProof };
  const { authMethod, authTime, factorAt } = person.login;
  const options = { chosen, authMethod, authTime, factorAt, action: 'login.authorize' } as const;
  const { code } = await createLogin(ctx, person.userId, fields, options);
  if (code === undefined) throw refused('login_required', 'A second factor must be proven first');
  return answerApp(request, { code });
}

/** Whether the session has proven what this membership asks for: an app has nothing that the person could not have. */
export async function mayIssue(q: Queryable, person: Person, { projectId, id }: Choice): Promise<boolean> {
  return (await findNeed(q, person.login, { projectId, membershipId: id })) === undefined;
}
