import { readRecoveryCodes } from '#lib/protocol/factors/recovery-codes.ts';
import { callAuth } from './call-auth.ts';
import { type Authenticator, scan } from './devices/authenticator.ts';
import { type Owner, PASSWORD, signIn } from './people.ts';

export type Enrolled = { access: string; app: Authenticator; recoveryCodes: string[] };

/** Signs in, and adds an authenticator to the account. */
export async function enrollTotp(owner: Owner): Promise<Enrolled> {
  const { access } = await signIn(owner);
  const status = await callAuth('GET', '/auth/mfa/status', { token: access });
  const app = scan(status.body.enrollUri);
  const answer = await callAuth('POST', '/auth/mfa/enroll', { token: access, body: { token: app.next() } });
  if (answer.status !== 200) throw new Error(answer.text);
  return { access, app, recoveryCodes: readRecoveryCodes(answer.body) };
}

const PLAIN = { codeChallenge: 'v'.repeat(43), codeChallengeMethod: 'plain' };

/** POST /auth/login with the right password; its code is redeemed with the verifier `'v'.repeat(43)`. */
export function startSignIn(owner: Pick<Owner, 'email'>, fields: object = {}) {
  return callAuth('POST', '/auth/login', { body: { email: owner.email, password: PASSWORD, ...PLAIN, ...fields } });
}

export function verify(login: string, token: string) {
  return callAuth('POST', '/auth/mfa/verify', { body: { login, token } });
}
