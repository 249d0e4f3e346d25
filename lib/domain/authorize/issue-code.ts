import type { Queryable } from '#lib/infra/db/client.ts';
import type { LaunchContext } from '#lib/protocol/launch/context.ts';
import type { Ctx } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { lastProof } from '../proofs/last-proof.ts';
import { type Chosen, createLogin } from '../sign-in/create-login.ts';
import type { Choice } from '../sign-in/find-memberships.ts';
import { wouldPass } from '../sign-in/gate.ts';
import { answerApp } from './answer-app.ts';
import { type AuthorizeRequest, refused } from './authorize-request.ts';
import type { Person } from './find-person.ts';
import { takeLaunchOf } from './launch-of.ts';

/** `launch`: about whom, where the person has chosen it. */
export type For = { person: Person; choice: Choice; launch?: LaunchContext };

/** The app's address with a code, of a login of its own: it ends by itself, and the person's goes on. Spends what the app was opened about. */
export async function issueCode(ctx: Ctx, request: AuthorizeRequest, given: For): Promise<string> {
  if (request.launch === undefined) return makeCode(ctx, request, given);
  return write(ctx, async (w, inside) =>
    makeCode(inside, request, { ...given, launch: await takeLaunchOf(w.tx, request, given.person.userId) }),
  );
}

async function makeCode(ctx: Ctx, request: AuthorizeRequest, { person, choice, launch }: For): Promise<string> {
  const { app, scope, nonce, codeChallenge, codeChallengeMethod, redirectUri, needsProof } = request;
  const chosen: Chosen = { projectId: choice.projectId, membershipId: choice.id };
  const fields = { clientId: app.id, scope, nonce, codeChallenge, codeChallengeMethod, redirectUri, needsProof };
  const { authMethod, authTime, factorAt, deviceId } = person.login;
  const provenAt = lastProof(person.login);
  const options = {
    chosen,
    authMethod,
    authTime,
    factorAt,
    provenAt,
    deviceId,
    launch,
    action: 'login.authorize',
  } as const;
  const { code } = await createLogin(ctx, person.userId, fields, options);
  if (code === undefined) throw refused('login_required', 'A second factor must be proven first');
  return answerApp(request, { code });
}

/** Whether the session has proven what this membership asks for: an app has nothing that the person could not have. */
export async function mayIssue(q: Queryable, person: Person, { projectId, id }: Choice): Promise<boolean> {
  return wouldPass(q, person.login, { projectId, membershipId: id });
}
