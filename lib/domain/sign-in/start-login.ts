import { AppError } from '#lib/base/errors.ts';
import { isUuid, SERVER_SCOPE } from '#lib/base/ids.ts';
import { db } from '#lib/infra/db/client.ts';
import type { LoginResult } from '#lib/protocol/answers/login.ts';
import type { LoginRequest } from '#lib/protocol/requests/auth.ts';
import type { Ctx } from '../access/context.ts';
import { findUserByEmail } from '../accounts/find-user.ts';
import { verifyPassword } from '../accounts/verify-password.ts';
import { clearThrottle, throttle } from '../limits/throttle.ts';
import { createLogin, projectOfRequest } from './create-login.ts';
import { findMemberships } from './find-memberships.ts';

/** `projectId: 'new'` signs in to make a project: no membership is needed yet. */
const NEW_PROJECT = 'new';

/**
 * Password sign-in (contract §1.5). One text for an unknown address and a wrong password, and the same time for both.
 * One eligible membership gives a code, several a choice (`chooseProfile`).
 */
export async function startLogin(ctx: Ctx, input: LoginRequest): Promise<LoginResult> {
  const projectId = await projectOfRequest(ctx, input);
  const attempt = `login:${projectId ?? ''}:${input.email}`;
  await throttle(`login-from:${ctx.remoteAddress}`, 200);
  await throttle(attempt);
  const userId = await findPerson(projectId, input.email);
  if (!(await verifyPassword(userId, input.password)) || !userId) {
    throw new AppError('invalid', 'Email or password is invalid');
  }
  await clearThrottle(attempt);
  const fields = { ...input, projectId: isUuid(projectId) ? projectId : undefined };
  if (projectId === NEW_PROJECT) return createLogin(ctx, userId, fields);
  const choices = await findMemberships(userId, { projectId, profileType: input.resourceType });
  if (choices.length === 0)
    throw new AppError('invalid', 'You have no active membership here; ask an administrator of the project');
  const [only] = choices;
  if (choices.length === 1 && only)
    return createLogin(ctx, userId, fields, { projectId: only.projectId, membershipId: only.id });
  const started = await createLogin(ctx, userId, fields);
  return { ...started, memberships: choices.map(({ projectId: _, ...choice }) => choice) };
}

/** The project's own User first, then the server-wide one. */
async function findPerson(projectId: string | undefined, email: string): Promise<string | undefined> {
  const scoped = isUuid(projectId) ? await findUserByEmail(db(), projectId, email) : undefined;
  return scoped ?? findUserByEmail(db(), SERVER_SCOPE, email);
}
