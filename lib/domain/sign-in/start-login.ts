import { AppError } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import { db } from '#lib/infra/db/client.ts';
import { countSignIn } from '#lib/infra/metrics/count.ts';
import type { LoginResult } from '#lib/protocol/answers/login.ts';
import type { LaunchContext } from '#lib/protocol/launch/context.ts';
import type { LoginRequest } from '#lib/protocol/requests/auth.ts';
import { splitScopes } from '#lib/protocol/smart-scopes.ts';
import type { Ctx } from '../access/context.ts';
import { verifyPassword } from '../accounts/verify-password.ts';
import { noteDevice } from '../devices/note-device.ts';
import { takeLaunch } from '../launches/app-launches.ts';
import { attemptSignIn } from '../limits/attempt-sign-in.ts';
import { knownDevice, rememberDevice } from '../limits/known-device.ts';
import { type CreateLoginOptions, createLogin, type LoginRequestFields, projectOfRequest } from './create-login.ts';
import { findByAddress } from './find-by-address.ts';
import { findMemberships, keepOpen, toMemberships } from './find-memberships.ts';
import { toResult } from './gate.ts';
import { noteFailure } from './note-failure.ts';
import { isRegistering } from './open-project.ts';
import { tellNewDevice } from './tell-new-device.ts';

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
  const { userId, projects } = (await findByAddress(projectId, email)) ?? {};
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
type Shown = {
  userId: string;
  projects?: string[];
  proof?: Pick<CreateLoginOptions, 'authMethod' | 'action' | 'launch'>;
};

/** From here on all ways in are one. `projectId` as `projectOfRequest` has it. The person hears of a browser that is new to us. */
export async function enter(ctx: Ctx, shown: Shown, input: LoginRequestFields, words: string): Promise<StartedLogin> {
  const { userId, projects } = shown;
  const device = rememberDevice(words, userId);
  const noted = await noteDevice(db(), userId, device.token, ctx);
  const { authMethod = 'password' } = shown.proof ?? {};
  const by = authMethod === 'passkey' || authMethod === 'link' ? authMethod : 'password';
  const { projectId, resourceType: profileType } = input;
  const fields = { ...input, projectId: isUuid(projectId) ? projectId : undefined };
  const proof = { ...shown.proof, deviceId: noted.id, launch: await takeLaunchOf(userId, fields) };
  const result =
    projectId === NEW_PROJECT
      ? await toResult(await createLogin(ctx, userId, fields, proof))
      : await loginToMembership(ctx, userId, fields, { projectId, profileType, projects }, proof);
  if (noted.isNew) await tellNewDevice(ctx, { userId, projectId: fields.projectId, by, result });
  return { result, device: device.words };
}

/** Spends what the client was opened about. Throws 400 naming `launch` when that is not for it and this person, or no longer. */
async function takeLaunchOf(userId: string, fields: LoginRequestFields): Promise<LaunchContext | undefined> {
  const { launch, clientId, projectId, scope = '' } = fields;
  if (launch === undefined || !splitScopes(scope).includes('launch')) return undefined;
  const of = projectId && clientId && { projectId, clientId: clientId.toLowerCase(), userRef: `User/${userId}` };
  const taken = of && (await takeLaunch(db(), launch, of));
  if (taken) return taken;
  throw new AppError('invalid', 'This launch has been used, has expired, or is another app’s or person’s', {
    expression: 'launch',
  });
}

async function loginToMembership(
  ctx: Ctx,
  userId: string,
  fields: LoginRequestFields,
  limits: { projectId?: string; profileType?: string; projects?: string[] },
  proof: CreateLoginOptions,
): Promise<LoginResult> {
  const found = await findMemberships(userId, limits);
  // Who has registered, and went away before the second step, comes back to it.
  if (found.length === 0 && limits.projectId && (await isRegistering(userId, limits.projectId)))
    return toResult(await createLogin(ctx, userId, fields, proof));
  const choices = keepOpen(found, proof?.authMethod ?? 'password');
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
  return { login: started.login, memberships: toMemberships(choices) };
}
