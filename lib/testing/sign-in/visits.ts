import type { Answer } from '../call-api.ts';
import { callAuth } from '../call-auth.ts';
import { type Owner, PASSWORD, redeem } from '../people.ts';

export const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
export const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1';

const VERIFIER = 'v'.repeat(43);
const PLAIN = { codeChallenge: VERIFIER, codeChallengeMethod: 'plain' };

export type Visit = {
  answer: Answer;
  /** What the browser keeps: it sends it with the next sign-in. */
  kept: string;
  login: string;
  /** When there was a code. */
  access: string;
};

type From = { kept?: string; agent?: string; remote?: string; password?: string };

/** A sign-in with the right password in a browser, to its token. `kept`: what the same browser kept of an earlier one. */
export async function visit({ email }: Pick<Owner, 'email'>, from: From = {}): Promise<Visit> {
  const { kept = '', agent = CHROME, remote = '203.0.113.7', password = PASSWORD } = from;
  const headers = { 'user-agent': agent, ...(kept && { cookie: kept }) };
  const answer = await callAuth('POST', '/auth/login', { body: { email, password, ...PLAIN }, headers, remote });
  const { code, login } = answer.body;
  const access = code ? (await redeem({ code, code_verifier: VERIFIER })).body.access_token : '';
  return { answer, kept: answer.headers.get('set-cookie')?.split(';')[0] ?? '', login, access };
}
