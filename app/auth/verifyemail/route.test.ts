import { afterAll, beforeEach, expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { callAuth } from '#lib/testing/call-auth.ts';
import { changeSettings } from '#lib/testing/change-settings.ts';
import { toLink, waitingMail } from '#lib/testing/links.ts';
import { PASSWORD } from '#lib/testing/people.ts';
import { createWorld } from '#lib/testing/world.ts';

afterAll(changeSettings({ VERIFY_EMAIL: true }));

let email: string;
let login: string;

beforeEach(async () => {
  email = `${newId()}@example.com`;
  const person = { firstName: 'Ada', lastName: 'Stone', email, password: PASSWORD, projectId: 'new' };
  const { status, body } = await callAuth('POST', '/auth/newuser', { body: person });
  expect([status, body]).toEqual([200, { login: expect.any(String), emailVerificationRequired: true }]);
  ({ login } = body);
});

async function newestLink() {
  const [mail] = await waitingMail(email);
  return {
    template: mail?.template,
    code: mail?.params.code ?? '',
    url: mail?.params.url,
    ...toLink(mail?.params.url),
  };
}

function verify(link: { id: string; secret: string }) {
  return callAuth('POST', '/auth/verifyemail', { body: { id: link.id, secret: link.secret } });
}

function startProject() {
  return callAuth('POST', '/auth/newproject', { body: { login, projectName: 'Stone Clinic' } });
}

test('no project before the address is proven; the mailed link proves it, once', async () => {
  const refused = await startProject();
  expect([refused.status, refused.body.issue[0].expression]).toEqual([400, ['email']]);
  const link = await newestLink();
  expect([link.template, link.url]).toEqual(['verify', expect.stringContaining('/verifyemail/')]);
  const answers = await Promise.all([verify(link), verify(link), verify(link)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
  expect((await startProject()).body.code).toEqual(expect.any(String));
});

test('the code does what the link does', async () => {
  const { code } = await newestLink();
  const { body } = await callAuth('POST', '/auth/link/code', { body: { email, code } });
  expect(body.type).toBe('verify-email');
  expect((await verify(body)).status).toBe(200);
  expect((await startProject()).status).toBe(200);
});

test('who is invited proves the address by the invitation, which asks for a password; this link would leave a squatter’s', async () => {
  const world = await createWorld();
  await world.invite({ email });
  const link = await newestLink();
  expect(link.template).toBe('invite');
  await callAuth('POST', '/auth/verifyemail/send', { body: { login } });
  const refused = await verify(await newestLink());
  expect([refused.status, refused.body.issue[0].details.text]).toEqual([409, expect.stringContaining('invited')]);
  expect(
    (await callAuth('POST', '/auth/login', { body: { email, password: PASSWORD, projectId: world.projectId } })).status,
  ).toBe(400);
});

test('another mail ends the one before; none after it is proven; five within 15 minutes', async () => {
  const send = () => callAuth('POST', '/auth/verifyemail/send', { body: { login } });
  const first = await newestLink();
  expect((await send()).status).toBe(200);
  expect((await verify(first)).status).toBe(400);
  for (let round = 0; round < 4; round++) expect((await send()).status).toBe(200);
  expect((await send()).status).toBe(429);
  expect((await verify(await newestLink())).status).toBe(200);
  expect((await send()).status).toBe(400);
  expect((await callAuth('POST', '/auth/verifyemail/send', { body: { login: newId() } })).status).toBe(400);
});

test('a link of another kind, a wrong secret and an unknown id prove nothing', async () => {
  const link = await newestLink();
  expect((await verify({ ...link, secret: 'wrong' })).status).toBe(400);
  expect((await verify({ ...link, id: newId() })).status).toBe(404);
  await callAuth('POST', '/auth/resetpassword', { body: { email } });
  const reset = await newestLink();
  expect([reset.template, (await verify(reset)).status]).toEqual(['reset', 400]);
  const password = 'Copper-Window-77';
  expect((await callAuth('POST', '/auth/setpassword', { body: { ...toLink(link.url), password } })).status).toBe(400);
  expect((await startProject()).status).toBe(400);
});
