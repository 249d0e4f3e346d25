import { expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { callAuth } from '#lib/testing/call-auth.ts';
import { waitingMail } from '#lib/testing/links.ts';
import { PASSWORD } from '#lib/testing/people.ts';

test('a server that does not ask for the address to be confirmed sends nobody a mail about it', async () => {
  const email = `${newId()}@example.com`;
  const person = { firstName: 'Ada', lastName: 'Stone', email, password: PASSWORD, projectId: 'new' };
  const { body } = await callAuth('POST', '/auth/newuser', { body: person });
  expect((await callAuth('POST', '/auth/verifyemail/send', { body: { login: body.login } })).status).toBe(400);
  expect(await waitingMail(email)).toEqual([]);
});
