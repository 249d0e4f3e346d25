import { expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { callApi } from '#lib/testing/call-api.ts';
import { callAuth } from '#lib/testing/call-auth.ts';
import { scan } from '#lib/testing/devices/authenticator.ts';
import { linksOf, mailsOf } from '#lib/testing/invites.ts';
import { toLink, waitingMail } from '#lib/testing/links.ts';
import { redeem } from '#lib/testing/people.ts';
import { anEmail, createWorld } from '#lib/testing/world.ts';

const PLAIN = { codeChallenge: 'v'.repeat(43), codeChallengeMethod: 'plain' };
const ATTACKER = 'violet hammock 41';

async function register(email: string): Promise<void> {
  const body = { firstName: 'Mallory', lastName: 'Squat', email, password: ATTACKER, projectId: 'new' };
  const { body: made } = await callApi(undefined, 'POST', '/auth/newuser', { body });
  await callApi(undefined, 'POST', '/auth/newproject', { body: { login: made.login, projectName: 'Own project' } });
}

const signIn = (email: string, projectId: string) =>
  callApi(undefined, 'POST', '/auth/login', { body: { email, password: ATTACKER, projectId } });

test('an account that somebody made for another’s address does not enter by the invite that waits for it', async () => {
  const [world, email] = [await createWorld(), anEmail()];
  await register(email);
  const member = await world.invite({ email });

  const entered = await signIn(email, world.projectId);

  expect(entered.status).toBe(400);
  expect((await mailsOf(world.projectId, member.id)).map((mail) => mail.template)).toEqual(['invite']);
  const [link] = await linksOf(member.id);
  const handed = await world.call('POST', `/invites/${link!.id}/link`, { body: {} });
  expect(handed.status).toBe(409);
});

test('an administrator asked for the link of an invite does not get it for an account of unproven address', async () => {
  const [world, email] = [await createWorld(), anEmail()];
  await register(email);
  const answer = await world.call('POST', '/invite', {
    body: { resourceType: 'Practitioner', firstName: 'A', lastName: 'B', email, sendEmail: false, returnLink: true },
    headers: { 'idempotency-key': newId() },
  });
  expect(answer.status).toBe(200);
  expect(answer.text).not.toContain('setpassword');
});

test('removed and brought back, the invite still waits for proof; who was added by it, and not by themselves, does not', async () => {
  const [world, email] = [await createWorld(), anEmail()];
  await register(email);
  const [waiting, added] = [await world.invite({ email }), await world.invite({ password: ATTACKER })];
  for (const { id } of [waiting, added]) {
    expect((await world.call('DELETE', `/members/${id}`)).status).toBe(200);
    expect((await world.call('POST', `/members/${id}/undo`, { body: { version: 1 } })).status).toBe(200);
  }
  expect((await signIn(email, world.projectId)).status).toBe(400);
  expect((await signIn(String(added.user.display), world.projectId)).status).toBe(200);
});

test('the second factor of whoever made the account does not keep its owner out, who comes by the invitation', async () => {
  const [world, email] = [await createWorld(), anEmail()];
  await register(email);
  const begun = await callApi(undefined, 'POST', '/auth/login', { body: { email, password: ATTACKER, ...PLAIN } });
  const { body: tokens } = await redeem({ code: begun.body.code, code_verifier: PLAIN.codeChallenge });
  const token = tokens.access_token;
  const app = scan((await callAuth('GET', '/auth/mfa/status', { token })).body.enrollUri);
  expect((await callAuth('POST', '/auth/mfa/enroll', { token, body: { token: app.next() } })).status).toBe(200);
  await world.invite({ email });
  const invite = (await waitingMail(email)).find(({ template }) => template === 'invite');
  const body = { ...toLink(invite?.params.url), password: 'Amber-Lighthouse-77' };
  expect((await callAuth('POST', '/auth/setpassword', { body })).status).toBe(200);
  const { projectId } = world;
  const own = { email, password: body.password, projectId, ...PLAIN };
  expect((await callAuth('POST', '/auth/login', { body: own })).body.code).toEqual(expect.any(String));
  expect((await waitingMail(email)).map(({ template }) => template)).toContain('factor-removed');
});
