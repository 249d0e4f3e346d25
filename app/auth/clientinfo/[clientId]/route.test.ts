import { expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { callAuth } from '#lib/testing/call-auth.ts';
import { makeClient, makeOwner } from '#lib/testing/people.ts';

const info = (id: string) => callAuth('GET', `/auth/clientinfo/${id}`);

test('200: the welcome and the logo of its sign-in form, and nothing else of the client', async () => {
  const { projectId } = await makeOwner();
  const logo = { contentType: 'image/png', url: 'https://example.com/logo.png' };
  const { id } = await makeClient(projectId, { signInForm: { welcomeString: 'Hello', logo }, description: 'Inner' });
  expect(await info(id)).toMatchObject({ status: 200, body: { welcomeString: 'Hello', logo } });
  expect(Object.keys((await info(id)).body).sort()).toEqual(['logo', 'welcomeString']);
  const plain = await makeClient(projectId);
  expect((await info(plain.id)).body).toEqual({});
});

test('404 for one that is not there, is switched off, or is no id', async () => {
  const { projectId } = await makeOwner();
  const off = await makeClient(projectId, { status: 'off' });
  for (const id of [newId(), off.id, 'x']) expect((await info(id)).status).toBe(404);
});

test('a selection of scopes on the form is refused until there is one', async () => {
  const { projectId } = await makeOwner();
  const made = makeClient(projectId, { signInForm: { showScopeSelection: true } });
  await expect(made).rejects.toMatchObject({ message: 'showScopeSelection is not supported yet' });
});
