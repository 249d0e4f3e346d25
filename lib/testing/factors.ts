import { TOTP } from 'otpauth';
import { readRecoveryCodes } from '#lib/protocol/factors/recovery-codes.ts';
import { callAuth } from './call-auth.ts';
import { type Owner, PASSWORD, signIn } from './people.ts';

/** A person's authenticator app. Each code is of a step of its own: one counts once. */
export type Authenticator = { next(): string; wrong(): string };

/** So long before a step ends the next one is waited for: the code of a step ago would be too old when it arrives. */
const NEAR_END_MS = 28_500;

/** The one that scans this address. The first codes are those of a step ago, now and a step ahead, so there are three. */
export function scan(uri: string): Authenticator {
  const secret = new URL(uri).searchParams.get('secret') ?? '';
  const totp = new TOTP({ secret });
  let step = Date.now() % 30_000 > NEAR_END_MS ? 0 : -1;
  const valid = () => [-1, 0, 1, 2].map((at) => totp.generate({ timestamp: Date.now() + at * 30_000 }));
  return {
    next: () => {
      const code = totp.generate({ timestamp: Date.now() + step * 30_000 });
      step += 1;
      return code;
    },
    wrong: () => ['000000', '000001', '000002', '000003', '000004'].find((code) => !valid().includes(code))!,
  };
}

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
