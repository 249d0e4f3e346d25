import { expect, test } from 'vitest';
import { SERVER_SCOPE } from '#lib/base/ids.ts';
import { auditOf } from '#lib/testing/accounts.ts';
import { callAuth } from '#lib/testing/call-auth.ts';
import { enrollTotp, startSignIn } from '#lib/testing/factors.ts';
import { waitingMail } from '#lib/testing/links.ts';
import { changeMember, makeOwner, PASSWORD } from '#lib/testing/people.ts';
import { hashCosts } from '#lib/testing/sign-in/hash-costs.ts';

const GUESSES = 1000;
const AT_ONCE = 50;
const PLAIN = { codeChallenge: 'v'.repeat(43), codeChallengeMethod: 'plain' };

/** Each from a network of its own. How often which status was the answer. */
async function guess(path: string, body: (at: number) => object): Promise<Record<number, number>> {
  const statuses: Record<number, number> = {};
  let at = 0;
  const next = async () => {
    while (at < GUESSES) {
      const mine = at++;
      const remote = `2001:db8:${mine.toString(16)}::1`;
      const { status } = await callAuth('POST', path, { body: body(mine), remote });
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, next));
  return statuses;
}

const aCode = (at: number) => String(at).padStart(6, '0');

test('of a thousand passwords from a thousand networks ten are looked at, and a browser that is known still lets its owner in', async () => {
  const { email } = await makeOwner();
  const signIn = (password: string, cookie = '') =>
    callAuth('POST', '/auth/login', { body: { email, password, ...PLAIN }, headers: { cookie } });
  const cookie = (await signIn(PASSWORD)).headers.get('set-cookie')?.split(';')[0];
  const hashed = await hashCosts(async () => {
    const answers = await guess('/auth/login', (at) => ({ email, password: `Wrong-Hammock-${at}`, ...PLAIN }));
    expect(answers).toEqual({ 400: 10, 429: GUESSES - 10 });
  });
  expect(hashed).toHaveLength(10);
  expect([(await signIn(PASSWORD)).status, (await signIn(PASSWORD, cookie)).status]).toEqual([429, 200]);
});

test('a thousand codes of an authenticator end the sign-in, and the right one comes too late', async () => {
  const owner = await makeOwner();
  const { app } = await enrollTotp(owner);
  const { login } = (await startSignIn(owner)).body;
  const right = app.next();
  const answers = await guess('/auth/mfa/verify', (at) => ({ login, token: at < 900 ? app.wrong() : right }));
  expect(answers[200]).toBeUndefined();
  const failed = await auditOf(SERVER_SCOPE, `User/${owner.userId}`);
  expect(failed.filter((action) => action === 'user.factor.failed').length).toBeLessThanOrEqual(5);
});

test('a thousand codes for a mailed sign-in give nothing, nor does the right one after', async () => {
  const owner = await makeOwner();
  await changeMember(owner, { signInWays: ['link', 'password'] });
  const begun = await callAuth('POST', '/auth/signinlink', { body: { email: owner.email, ...PLAIN } });
  const [mail] = await waitingMail(owner.email);
  const { code = '' } = mail!.params;
  const answers = await guess('/auth/signinlink/spend', (at) => ({
    id: begun.body.id,
    code: aCode(at) === code ? aCode(GUESSES) : aCode(at),
  }));
  expect(answers[200]).toBeUndefined();
  const late = await callAuth('POST', '/auth/signinlink/spend', { body: { id: begun.body.id, code } });
  expect([400, 429]).toContain(late.status);
});
