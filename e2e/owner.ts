import { createHash, randomBytes } from 'node:crypto';
import { encode } from 'next-auth/jwt';
import { SERVER_SCOPE } from '#lib/base/ids.ts';
import type { Ctx } from '#lib/domain/access/context.ts';
import { createUser } from '#lib/domain/accounts/create-user.ts';
import { write } from '#lib/domain/audit/write.ts';
import { issueToken } from '#lib/domain/grants/issue-token.ts';
import { startProject } from '#lib/domain/registration/start-project.ts';
import { actorOfLogin } from '#lib/domain/sessions/actor-of-login.ts';
import { createLogin } from '#lib/domain/sign-in/create-login.ts';
import type { SessionClaims } from '#lib/http/door/session-options.ts';
import { hashPassword } from '#lib/infra/crypto/password.ts';
import { actAsServer } from './server-database.ts';

export type Owner = {
  /** Their account. */
  user: string;
  project: string;
  email: string;
  membership: string;
  /** The console's session cookie. */
  session: string;
};

let passwordHash: Promise<string> | undefined;

/**
 * Somebody who has registered and is signed in, made by the verbs that the pages lead to, but in this process and with one hash of the
 * password for all: what a browser would spend on it stands in join.spec.ts and keyboard.spec.ts once.
 */
export async function makeOwner(projectName: string, password: string): Promise<Owner> {
  actAsServer();
  const ctx: Ctx = { requestId: 'e2e', remoteAddress: '', userAgent: '' };
  const email = `ada-${randomBytes(6).toString('hex')}@example.com`;
  passwordHash ??= hashPassword(password);
  const person = { firstName: 'Ada', lastName: 'Reyes', email, passwordHash: await passwordHash };
  const user = await write(ctx, (w) => createUser(w, { scope: SERVER_SCOPE, ...person }));
  const { login, projectId } = await openProject(ctx, user.id, projectName);
  const { membershipId, profile, profileDisplay } = await actorOfLogin({ projectId, id: login });
  const claims: SessionClaims = {
    loginId: login,
    profile,
    profileName: profileDisplay ?? '',
    projectId,
    projectName,
  };
  const session = await encode({ token: claims, secret: process.env.AUTH_SECRET! });
  return { user: user.id, project: projectId, email, membership: membershipId, session };
}

/** Another project of somebody who has one; its id. They stay signed in to that. */
export async function addProject(user: string, projectName: string): Promise<string> {
  actAsServer();
  return (await openProject({ requestId: 'e2e', remoteAddress: '', userAgent: '' }, user, projectName)).projectId;
}

async function openProject(ctx: Ctx, user: string, projectName: string): Promise<{ login: string; projectId: string }> {
  const verifier = randomBytes(32).toString('base64url');
  const codeChallenge = createHash('sha256').update(verifier).digest('base64url');
  const { login } = await createLogin(ctx, user, { codeChallenge, codeChallengeMethod: 'S256' });
  const { code } = await startProject(ctx, { login, projectName });
  const form = new URLSearchParams({ grant_type: 'authorization_code', code, code_verifier: verifier });
  const { project } = await issueToken(ctx, { form, basic: undefined });
  return { login, projectId: project.reference.slice('Project/'.length) };
}
