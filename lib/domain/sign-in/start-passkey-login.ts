import { AppError } from '#lib/base/errors.ts';
import { SERVER_SCOPE } from '#lib/base/ids.ts';
import { countSignIn } from '#lib/infra/metrics/count.ts';
import type { PasskeyLoginRequest } from '#lib/protocol/passkeys/requests.ts';
import type { Ctx } from '../access/context.ts';
import { networkOf } from '../limits/network-of.ts';
import { takeBack, throttle } from '../limits/throttle.ts';
import { provePasskey } from '../webauthn/prove-passkey.ts';
import { projectOfRequest } from './create-login.ts';
import { noteFailure } from './note-failure.ts';
import { enter, type StartedLogin } from './start-login.ts';

/** As wrong passwords: what was right is taken back. */
const TRIES_A_NETWORK = 200;

/**
 * Sign-in with a passkey: who they are, the passkey says, and it asks who is there before it signs, so that nothing else is to be proven. From
 * there on as with a password. One 400 for whatever is wrong with it, also for a project's own person who wants to enter another one; 429.
 */
export async function startPasskeyLogin(ctx: Ctx, input: PasskeyLoginRequest, words = ''): Promise<StartedLogin> {
  const { response, ...fields } = input;
  const wanted = await projectOfRequest(ctx, fields);
  const from = `passkey-from:${networkOf(ctx.remoteAddress)}`;
  await throttle(from, TRIES_A_NETWORK);
  const { isRight, userId, scope } = await provePasskey(response);
  const own = scope === SERVER_SCOPE ? undefined : scope;
  const isHere = own === undefined || wanted === undefined || wanted.toLowerCase() === own;
  if (!(await countSignIn('passkey', Promise.resolve(isRight && isHere))) || !userId) {
    noteFailure(ctx, userId, { projectId: wanted, isRefused: false });
    throw new AppError('invalid', 'This passkey does not sign in here');
  }
  await takeBack(from);
  const proof = { authMethod: 'passkey', action: 'login.passkey' } as const;
  return enter(ctx, { userId, proof }, { ...fields, projectId: own ?? wanted }, words);
}
