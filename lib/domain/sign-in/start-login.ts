import { AppError } from '#lib/base/errors.ts';
import { isUuid, SERVER_SCOPE } from '#lib/base/ids.ts';
import { countSignIn } from '#lib/infra/metrics/count.ts';
import type { LoginResult } from '#lib/protocol/answers/login.ts';
import type { LoginRequest } from '#lib/protocol/requests/auth.ts';
import type { Ctx } from '../access/context.ts';
import { findToSignIn } from '../accounts/find-user.ts';
import { verifyPassword } from '../accounts/verify-password.ts';
import { attemptSignIn } from '../limits/attempt-sign-in.ts';
import { knownDevice, rememberDevice } from '../limits/known-device.ts';
import { type CreateLoginOptions, createLogin, type LoginRequestFields, projectOfRequest } from './create-login.ts';
import { findMemberships } from './find-memberships.ts';
import { toResult } from './gate.ts';
import { noteFailure } from './note-failure.ts';

/** `projectId: 'new'` signs in to make a project: no membership is needed yet. */
const NEW_PROJECT = 'new';

/** `device`: what the browser is to keep, to be known by. */
export type StartedLogin = { result: LoginResult; device: string };

/**
 * Password sign-in (contract §1.5). One text for an unknown address and a wrong password, and the same time for both. `words`: what the
 * browser kept of earlier ones. Throws 429 as `attemptSignIn` says. One eligible membership gives a code, several a choice
 * (`chooseProfile`); before either, the second factor is asked for.
 */
export async function startLogin(ctx: Ctx, input: LoginRequest, words = ''): Promise<StartedLogin> {
  const projectId = await projectOfRequest(ctx, input);
  const { email, password } = input;
  const { userId, projects } = (await findPerson(projectId, email)) ?? {};
  const device = userId && knownDevice(words, userId);
  const attempt = { email, userId, device, remoteAddress: ctx.remoteAddress };
  const attempted = attemptSignIn(attempt, () => verifyPassword(userId, password));
  const isRight = await countSignIn('password', attempted).catch((error: unknown) => {
    noteFailure(ctx, userId, { projectId, isRefused: true });
    throw error;
  });
  if (!isRight || !userId) {
    noteFailure(ctx, userId, { projectId, isRefused: false });
    throw new AppError('invalid', 'Email or password is invalid');
  }
  return enter(ctx, { userId, projects }, { ...input, projectId }, words);
}

/** Who has shown who they are: `projects` where they may be a member, when that is known; `proof` how they did, if not by password. */
type Shown = { userId: string; projects?: string[]; proof?: Pick<CreateLoginOptions, 'authMethod' | 'action'> };

/** From here on all ways in are one. `projectId` as `projectOfRequest` has it. */
export async function enter(ctx: Ctx, shown: Shown, input: LoginRequestFields, words: string): Promise<StartedLogin> {
  const { userId, projects, proof } = shown;
  const { projectId, resourceType: profileType } = input;
  const fields = { ...input, projectId: isUuid(projectId) ? projectId : undefined };
  const result =
    projectId === NEW_PROJECT
      ? await toResult(await createLogin(ctx, userId, fields, proof))
      : await loginToMembership(ctx, userId, fields, { projectId, profileType, projects }, proof);
  return { result, device: rememberDevice(words, userId) };
}

async function loginToMembership(
  ctx: Ctx,
  userId: string,
  fields: LoginRequestFields,
  limits: { projectId?: string; profileType?: string; projects?: string[] },
  proof?: Shown['proof'],
): Promise<LoginResult> {
  const choices = await findMemberships(userId, limits);
  if (choices.length === 0)
    throw new AppError('invalid', 'You have no active membership here; ask an administrator of the project');
  const [only] = choices;
  if (choices.length === 1 && only)
    return toResult(
      await createLogin(ctx, userId, fields, {
        ...proof,
        chosen: { projectId: only.projectId, membershipId: only.id },
      }),
    );
  const started = await createLogin(ctx, userId, fields, proof);
  if (started.need) return toResult(started);
  return { login: started.login, memberships: choices.map(({ projectId: _, ...choice }) => choice) };
}

/** The project's own User first, then the server-wide one. */
async function findPerson(projectId: string | undefined, email: string) {
  const scoped = isUuid(projectId) ? await findToSignIn(projectId, email) : undefined;
  return scoped ?? findToSignIn(SERVER_SCOPE, email);
}
