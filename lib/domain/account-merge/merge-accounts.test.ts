import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { newId, newSecret } from '#lib/base/ids.ts';
import { accountChange } from '#lib/infra/db/schema/account-change.ts';
import { apiKey } from '#lib/infra/db/schema/api-key.ts';
import { consent } from '#lib/infra/db/schema/consent.ts';
import { factor } from '#lib/infra/db/schema/factor.ts';
import { credential, userLogin } from '#lib/infra/db/schema/identity.ts';
import { login, oneTimeLink } from '#lib/infra/db/schema/login.ts';
import { auditOf } from '#lib/testing/accounts.ts';
import { callApi } from '#lib/testing/call-api.ts';
import { enrollTotp } from '#lib/testing/factors.ts';
import { makeOwner, PASSWORD, signIn } from '#lib/testing/people.ts';
import { db } from '#lib/testing/set-up/own-db.ts';

const call = (path: string, bearer: string, body?: unknown) =>
  callApi(`Bearer ${bearer}`, body === undefined ? 'GET' : 'POST', path, body === undefined ? {} : { body });

test('nothing that could sign in as the account that ended is left: no key, consent, link, change that waits, factor, password or address', async () => {
  const [a, b] = [await makeOwner(), await makeOwner()];
  const { access: session, login: loginId } = await signIn(b);
  const [own, other] = [await enrollTotp(a), await enrollTotp(b)];
  const { userId, projectId, membershipId } = b;
  const userRef = `User/${userId}`;
  const [expiresAt, clientId] = [new Date(Date.now() + 86_400_000), newId()];
  const key = { id: newId(), projectId, membershipId, userRef, name: 'k', scope: 'user/*.rs', hint: 'abcd' };
  await db()
    .insert(apiKey)
    .values({ ...key, secretHash: newSecret(), expiresAt });
  await db().insert(consent).values({ projectId, userRef, clientId, scope: 'openid', grantedAt: new Date() });
  const waits = {
    kind: 'address',
    userId,
    projectId: null,
    detail: { email: 'x@example.com' },
    askedBy: userRef,
  } as const;
  await db()
    .insert(accountChange)
    .values({ id: newId(), ...waits, scope: projectId, stopHash: newSecret(), dueAt: expiresAt, expiresAt });
  await db().insert(oneTimeLink).values({ id: newId(), kind: 'reset', userId, secretHash: newSecret(), expiresAt });
  const { handle } = (await call('/auth/merge', own.access, { email: b.email, password: PASSWORD })).body;
  const seen = await call('/auth/merge/verify', own.access, { handle, token: other.app.next() });
  expect(seen.body.ends, seen.text).toMatchObject({ keys: 1, consents: 1, factors: 1, passkeys: 0 });
  expect((await call('/auth/merge/confirm', own.access, { handle })).status).toBe(200);
  const left = await Promise.all([
    db().select().from(apiKey).where(eq(apiKey.userRef, userRef)),
    db().select().from(consent).where(eq(consent.userRef, userRef)),
    db().select().from(factor).where(eq(factor.userId, userId)),
    db().select().from(credential).where(eq(credential.userId, userId)),
    db().select().from(userLogin).where(eq(userLogin.userId, userId)),
  ]);
  expect(left).toEqual([[], [], [], [], []]);
  const [change] = await db().select().from(accountChange).where(eq(accountChange.userId, userId));
  expect(change?.outcome).toBe('cancelled');
  const [link] = await db().select().from(oneTimeLink).where(eq(oneTimeLink.userId, userId));
  expect(link?.supersededAt).not.toBeNull();
  expect(await auditOf(projectId, `ClientApplication/${clientId}`)).toContain('consent.withdraw');
  // As one that began while the accounts were made one.
  await db().update(login).set({ revoked: false }).where(eq(login.id, loginId));
  expect((await call('/auth/me', session)).status).toBe(401);
});
