import type { Ctx } from '../access/context.ts';
import { type Chosen, createLogin } from '../sign-in/create-login.ts';
import type { Choice } from '../sign-in/find-memberships.ts';
import { answerApp } from './answer-app.ts';
import type { AuthorizeRequest } from './authorize-request.ts';
import type { Person } from './find-person.ts';

/** The app's address with a code, of a login of its own: it ends by itself, and the person's goes on. */
export async function issueCode(ctx: Ctx, request: AuthorizeRequest, person: Person, choice: Choice): Promise<string> {
  const { app, scope, nonce, codeChallenge, codeChallengeMethod, redirectUri, needsProof } = request;
  const chosen: Chosen = { projectId: choice.projectId, membershipId: choice.id };
  const fields = { clientId: app.id, scope, nonce, codeChallenge, codeChallengeMethod, redirectUri, needsProof };
  const { authTime } = person.login;
  const { code = '' } = await createLogin(ctx, person.userId, fields, { chosen, authTime, action: 'login.authorize' });
  return answerApp(request, { code });
}
