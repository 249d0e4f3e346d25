import { eq } from 'drizzle-orm';
import { afterEach, expect, test } from 'vitest';
import { env } from '#lib/base/env.ts';
import { sealedNow } from '#lib/infra/crypto/seal.ts';
import { signingKey } from '#lib/infra/db/schema/identity.ts';
import { login } from '#lib/infra/db/schema/login.ts';
import { mail, projectSecret } from '#lib/infra/db/schema/operations.ts';
import { callAuth } from '#lib/testing/call-auth.ts';
import { changeSettings } from '#lib/testing/change-settings.ts';
import { waitingMail } from '#lib/testing/links.ts';
import { makeOwner, refresh, signIn } from '#lib/testing/people.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createWorld } from '#lib/testing/world.ts';
import { openKeyring } from './open-keyring.ts';

const { AUTH_SECRET } = env();
const NEXT = 'the-next-secret-of-32-characters-';
let back: (() => void)[] = [];

afterEach(async () => {
  for (const undo of back.reverse()) undo();
  back = [];
  // Whatever a test sealed anew.
  const restore = changeSettings({ AUTH_SECRET_PREVIOUS: [NEXT] });
  await openKeyring();
  restore();
});

function become(AUTH_SECRET_NOW: string, AUTH_SECRET_PREVIOUS: string[] = []): void {
  back.push(changeSettings({ AUTH_SECRET: AUTH_SECRET_NOW, AUTH_SECRET_PREVIOUS }));
}

test('a server whose AUTH_SECRET is not that of its data does not start, and is not well', async () => {
  const { access } = await signIn(await makeOwner());
  expect((await callAuth('GET', '/healthcheck')).status).toBe(200);
  become(NEXT);
  await expect(openKeyring()).rejects.toThrow(/AUTH_SECRET: is not the secret of this data.*AUTH_SECRET_PREVIOUS/);
  expect((await callAuth('GET', '/healthcheck')).status).toBe(503);
  back.pop()?.();
  expect((await callAuth('GET', '/auth/me', { token: access })).status).toBe(200);
});

test('with the earlier secret in AUTH_SECRET_PREVIOUS nothing is lost; all is sealed anew at start, and then it is not needed', async () => {
  const session = await signIn(await makeOwner(), { scope: 'offline' });
  const world = await createWorld();
  await world.call('PUT', '/secrets/TOKEN', { body: { valueString: 'kept' } });
  const invited = await world.invite();
  const kept = { 'idempotency-key': 'again' };
  const body = {
    resourceType: 'Practitioner',
    firstName: 'Ann',
    lastName: 'Once',
    email: `${world.projectId}@example.com`,
  };
  const once = () => world.call('POST', '/invite', { body, headers: kept });
  expect((await once()).status).toBe(200);

  become(NEXT, [AUTH_SECRET]);
  expect((await callAuth('GET', '/auth/me', { token: session.access })).status).toBe(200);
  expect((await once()).headers.get('idempotent-replayed')).toBe('true');
  await openKeyring();
  const sealed = [
    ...(await db().select({ text: signingKey.privateSealed }).from(signingKey)),
    ...(await db().select({ text: login.refreshSealed }).from(login).where(eq(login.id, session.login))),
    ...(await db().select({ text: mail.paramsSealed }).from(mail).where(eq(mail.membershipId, invited.id))),
    ...(await db().select({ text: projectSecret.valueSealed }).from(projectSecret)),
  ];
  expect(sealed.length).toBeGreaterThanOrEqual(4);

  back.pop()?.();
  become(NEXT);
  // A key that was retired has none left.
  for (const { text } of sealed) if (text) expect(text.slice(0, 12)).toBe(sealedNow());
  expect(await openKeyring()).toBeUndefined();
  expect((await callAuth('GET', '/healthcheck')).status).toBe(200);
  expect((await callAuth('GET', '/auth/me', { token: session.access })).status).toBe(200);
  expect((await refresh(session.tokens.refresh_token)).status).toBe(200);
  expect((await waitingMail(String(invited.user.display)))[0]?.params.url).toContain('/setpassword/');
  const revealed = await world.call('GET', '?reveal=true');
  expect(revealed.body.project.secret).toMatchObject([{ name: 'TOKEN', valueString: 'kept' }]);
});
