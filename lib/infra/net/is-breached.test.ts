import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { callAuth } from '#lib/testing/call-auth.ts';
import { changeSettings } from '#lib/testing/change-settings.ts';
import { makeOwner, PASSWORD, signIn } from '#lib/testing/people.ts';
import { isBreached } from './is-breached.ts';

const LEAKED = 'Amber-Teapot-1977';
const PADDED = 'Amber-Teapot-1978';
const digest = (password: string) => createHash('sha1').update(password).digest('hex').toUpperCase();

let server: Server;
let url: string;
let asked: string[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.end([LEAKED, PADDED].map((each) => `${digest(each).slice(5)}:${each === LEAKED ? 12 : 0}`).join('\r\n'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

test('of a password five characters of its hash leave, and what was leaked is known', async () => {
  onTestFinished(changeSettings({ BREACH_CHECK_URL: url }));
  asked = [];
  expect(await isBreached(LEAKED)).toBe(true);
  // What pads an answer has been seen no time.
  expect(await isBreached(PADDED)).toBe(false);
  expect(asked).toEqual([LEAKED, PADDED].map((each) => `/range/${digest(each).slice(0, 5)}`));
});

test('a leaked password is neither registered with nor changed to', async () => {
  const owner = await makeOwner();
  const { access } = await signIn(owner);
  onTestFinished(changeSettings({ BREACH_CHECK_URL: url }));
  const person = { firstName: 'A', lastName: 'B', email: `x-${Date.now()}@example.com`, projectId: 'new' };
  const made = await callAuth('POST', '/auth/newuser', { body: { ...person, password: LEAKED } });
  expect([made.status, made.body.issue[0].expression]).toEqual([400, ['password']]);
  const body = { oldPassword: PASSWORD, newPassword: LEAKED };
  const changed = await callAuth('POST', '/auth/changepassword', { token: access, body });
  expect([changed.status, changed.body.issue[0].expression]).toEqual([400, ['newPassword']]);
});

test('a list that does not answer keeps nobody out', async () => {
  onTestFinished(changeSettings({ BREACH_CHECK_URL: 'http://127.0.0.1:1' }));
  expect(await isBreached(LEAKED)).toBe(false);
});
