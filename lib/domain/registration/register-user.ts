import { env } from '#lib/base/env.ts';
import { AppError } from '#lib/base/errors.ts';
import { SERVER_SCOPE } from '#lib/base/ids.ts';
import { hashPassword } from '#lib/infra/crypto/password.ts';
import type { NewUserResult } from '#lib/protocol/answers/login.ts';
import type { NewUserRequest } from '#lib/protocol/requests/auth.ts';
import type { Ctx, Write } from '../access/context.ts';
import { createUser } from '../accounts/create-user.ts';
import { findUsersByEmail } from '../accounts/find-user.ts';
import { lockAddresses } from '../accounts/lock-addresses.ts';
import { mailVerification } from '../accounts/mail-verification.ts';
import { requirePassword } from '../accounts/require-password.ts';
import { write } from '../audit/write.ts';
import { findClient } from '../clients/find-client.ts';
import { noteDevice } from '../devices/note-device.ts';
import { rememberDevice } from '../limits/known-device.ts';
import { networkOf } from '../limits/network-of.ts';
import { throttle } from '../limits/throttle.ts';
import { createLogin, projectOfRequest } from '../sign-in/create-login.ts';
import { hasMembership, requireOpenProject } from '../sign-in/open-project.ts';

/** `device`: what the browser is to keep, to be known by. */
type Registered = { result: NewUserResult; device: string };

const REGISTRATIONS_A_NETWORK = 60;
/** In 15 minutes, wherever they come from: a clinic that opens its doors, and no more. */
const REGISTRATIONS_A_PROJECT = 1000;

/**
 * Registration (contract §1.5): of a server-scoped person who then makes a project (`startProject`), or, in a project that is open to it, of one
 * of its own, who then becomes its patient (`startPatient`). Any other project is closed: its members are invited. Under VERIFY_EMAIL the address
 * is to be proven before the second step. The browser is known from here on: `device` is what it is to keep beside `words`.
 */
export async function registerUser(ctx: Ctx, input: NewUserRequest, words = ''): Promise<Registered> {
  const scope = await scopeOfRequest(ctx, input);
  const { firstName, lastName, email, password } = input;
  await requirePassword(password, 'password', [firstName, lastName, email]);
  await throttle(`register-from:${networkOf(ctx.remoteAddress)}`, REGISTRATIONS_A_NETWORK);
  if (scope !== SERVER_SCOPE) await throttle(`register-in:${scope}`, REGISTRATIONS_A_PROJECT);
  const passwordHash = await hashPassword(password);
  return write(ctx, async (w, inside) => {
    await lockAddresses(w.tx, [email]);
    if (await isTaken(w, scope, email)) {
      throw new AppError(
        'invalid',
        'This address cannot be registered. If it is yours, sign in or reset your password',
        { expression: 'email' },
      );
    }
    const projectId = scope === SERVER_SCOPE ? undefined : scope;
    const selfMade = projectId !== undefined;
    const row = await createUser(w, { scope, firstName, lastName, email, passwordHash, selfMade });
    const { words: device, token } = rememberDevice(words, row.id);
    const { id: deviceId } = await noteDevice(w.tx, row.id, token, ctx);
    const { login } = await createLogin(inside, row.id, { ...input, projectId }, { deviceId });
    if (!env().VERIFY_EMAIL) return { result: { login }, device };
    await mailVerification(w, row.id, email, scope);
    return { result: { login, emailVerificationRequired: true }, device };
  });
}

/** A client decides the project. Throws 400 naming `clientId` for one that is none, and `projectId` for a project that is closed. */
async function scopeOfRequest(ctx: Ctx, input: NewUserRequest): Promise<string> {
  const { clientId, projectId } = input;
  if (clientId && projectId === 'new')
    throw new AppError('invalid', 'A project is not made by way of a client', { expression: 'clientId' });
  if (clientId && !(await findClient(clientId)))
    throw new AppError('invalid', 'Unknown client', { expression: 'clientId' });
  const wanted = clientId ? await projectOfRequest(ctx, input) : projectId;
  if (wanted === undefined || wanted === 'new') return SERVER_SCOPE;
  await requireOpenProject(wanted);
  return wanted.toLowerCase();
}

/** In a project also by who has an account above projects and is a member of it. */
async function isTaken(w: Write, scope: string, email: string): Promise<boolean> {
  const found = await findUsersByEmail(w.tx, [scope, SERVER_SCOPE], email);
  if (found.has(scope)) return true;
  const above = found.get(SERVER_SCOPE);
  return above !== undefined && hasMembership(w.tx, above, scope);
}
