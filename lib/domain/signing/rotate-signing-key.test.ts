import { eq, sql } from 'drizzle-orm';
import { decodeProtectedHeader } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { dropOver } from '#lib/http/server/sweeper.ts';
import { startInvalidation, stopInvalidation } from '#lib/infra/db/invalidation.ts';
import { signingKey } from '#lib/infra/db/schema/identity.ts';
import { login } from '#lib/infra/db/schema/login.ts';
import { auditEvent } from '#lib/infra/db/schema/operations.ts';
import { callApi } from '#lib/testing/call-api.ts';
import { callAuth } from '#lib/testing/call-auth.ts';
import { askToken, makeClient, makeOwner, signIn, type TestClient } from '#lib/testing/people.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createSuperAdmin, createWorld, START_CTX } from '#lib/testing/world.ts';
import { makeSigningKey } from './make-signing-key.ts';
import { rotateDueKey } from './rotate-signing-key.ts';

const DAY_MS = 86_400_000;
const IS_EC = sql`active and alg = 'ES256'`;
let root: string;

// As a server does it: keys are kept until somebody says that they changed.
beforeAll(async () => {
  await startInvalidation();
  root = await createSuperAdmin();
});
afterAll(stopInvalidation);

async function newToken(): Promise<string> {
  return (await signIn(await makeOwner())).access;
}

async function statusOf(token: string): Promise<number> {
  return (await callAuth('GET', '/auth/me', { token })).status;
}

function rotate(body: unknown = {}, bearer = root) {
  return callApi(bearer, 'POST', '/admin/super/rotatekeys', { body });
}

async function published(): Promise<string[]> {
  const { body } = await callAuth('GET', '/.well-known/jwks.json');
  return body.keys.map((key: { kid: string }) => key.kid);
}

describe('POST /admin/super/rotatekeys', () => {
  test('the new key signs, the old one verifies its tokens and is published, and nothing is left to sign with it', async () => {
    const token = await newToken();
    const old = decodeProtectedHeader(token).kid ?? '';
    const { status, body } = await rotate();
    expect(status).toBe(200);
    await expect.poll(async () => decodeProtectedHeader(await newToken()).kid).toBe(body.kid);
    expect(await published()).toEqual(expect.arrayContaining([old, body.kid]));
    expect(await statusOf(token)).toBe(200);
    const [row] = await db().select().from(signingKey).where(eq(signingKey.kid, old));
    expect([row?.active, row?.privateSealed]).toEqual([true, '']);
    const events = await db()
      .select()
      .from(auditEvent)
      .where(eq(auditEvent.target, `JsonWebKey/${body.kid}`));
    expect(events).toMatchObject([{ action: 'signing-key.rotate', after: { retired: false } }]);
  });

  test('with retire every token of the older keys ends', async () => {
    // Once a client has asked for RS256 its key is followed by another, and on a cluster all tests share the keys.
    await db().delete(signingKey).where(eq(signingKey.alg, 'RS256'));
    const token = await newToken();
    expect(await statusOf(token)).toBe(200);
    const { body } = await rotate({ retire: true });
    await expect.poll(() => statusOf(token)).toBe(401);
    expect(await published()).toEqual([body.kid]);
    expect(await statusOf(await newToken())).toBe(200);
  });

  test('403 for everybody else, 401 for nobody, 400 names the field', async () => {
    const world = await createWorld();
    expect((await rotate({}, world.owner.bearer)).status).toBe(403);
    expect((await callApi(undefined, 'POST', '/admin/super/rotatekeys', { body: {} })).status).toBe(401);
    const { status, body } = await rotate({ retire: 'yes' });
    expect([status, body.issue[0].expression]).toEqual([400, ['retire']]);
  });
});

test('a key that somebody retires in the database is retired in every process that runs, and another takes its place', async () => {
  const token = await newToken();
  expect(await statusOf(token)).toBe(200);
  await db().update(signingKey).set({ active: false });
  await expect.poll(() => statusOf(token)).toBe(401);
  expect(await statusOf(await newToken())).toBe(200);
});

describe('RS256, for clients that want it', () => {
  const clientOf = async () => {
    const owner = await makeOwner();
    return makeClient(owner.projectId, { idTokenSignedResponseAlg: 'RS256' });
  };
  const idToken = async (client: TestClient) => {
    const { body } = await askToken({ grant_type: 'client_credentials' }, { authorization: client.basic });
    return [decodeProtectedHeader(body.id_token), decodeProtectedHeader(body.access_token)] as const;
  };

  test('its key is made once, however many ask first; it rotates with the other, and retired it ends with it', async () => {
    await db().delete(signingKey);
    const client = await clientOf();
    const first = await Promise.all([1, 2, 3, 4].map(() => idToken(client)));
    expect(new Set(first.map(([id]) => id.kid)).size).toBe(1);
    expect(first[0]!.map(({ alg }) => alg)).toEqual(['RS256', 'ES256']);
    const [{ kid: old }] = first[0]!;
    expect((await rotate()).status).toBe(200);
    await expect.poll(async () => (await idToken(client))[0].kid).not.toBe(old);
    expect(await published()).toContain(old);
    const [row] = await db().select().from(signingKey).where(eq(signingKey.kid, old!));
    expect([row?.active, row?.privateSealed]).toEqual([true, '']);
    // The newest of all is that of ES256: the release before signs everything with it.
    const all = await db().select().from(signingKey).orderBy(sql`created_at desc`);
    expect(all[0]?.alg).toBe('ES256');
    await rotate({ retire: true });
    await expect.poll(published).not.toContain(old);
    expect(await published()).toHaveLength(2);
  });

  test('whoever has the first token of a key finds it published', async () => {
    const client = await clientOf();
    for (let round = 0; round < 5; round += 1) {
      await db().delete(signingKey).where(eq(signingKey.alg, 'RS256'));
      await expect.poll(published).toHaveLength(1);
      const [{ kid }] = await idToken(client);
      expect(await published()).toContain(kid);
    }
  });

  test('an old one goes when no token of its own can live any more, and the one that signs stays', async () => {
    await rotate({ retire: true });
    const client = await clientOf();
    const [{ kid }] = await idToken(client);
    const createdAt = new Date(Date.now() - 60 * DAY_MS);
    await db().update(signingKey).set({ createdAt }).where(eq(signingKey.kid, kid!));
    await rotate();
    const [next] = await idToken(client);
    expect(next.kid).not.toBe(kid);
    await dropOver();
    expect(await published()).toContain(next.kid);
  });
});

describe('by schedule', () => {
  beforeEach(async () => {
    await rotate({ retire: true });
  });

  const newest = async () =>
    (await db().select().from(signingKey).where(IS_EC).orderBy(sql`created_at desc`).limit(1))[0]!;
  const age = async (kid: string, days: number) => {
    const createdAt = new Date(Date.now() - days * DAY_MS);
    await db().update(signingKey).set({ createdAt }).where(eq(signingKey.kid, kid));
  };

  test('after ninety days another key takes over, of several processes once', async () => {
    const { kid } = await newest();
    await age(kid, 89);
    await rotateDueKey(START_CTX);
    expect((await newest()).kid).toBe(kid);
    await age(kid, 91);
    await Promise.all([1, 2, 3].map(() => rotateDueKey(START_CTX)));
    const active = await db().select().from(signingKey).where(IS_EC);
    expect(active).toHaveLength(2);
    expect((await newest()).kid).not.toBe(kid);
  });

  test('the old one goes when no token of its own can live any more, and not before', async () => {
    const { kid } = await newest();
    await age(kid, 60);
    const next = await makeSigningKey();
    await db()
      .insert(signingKey)
      .values({ ...next, createdAt: new Date(Date.now() - 30 * DAY_MS) });
    const id = newId();
    await db()
      .insert(login)
      .values({
        id,
        projectId: newId(),
        userRef: `User/${newId()}`,
        authMethod: 'password',
        authTime: new Date(Date.now() - 40 * DAY_MS),
        scope: 'openid',
        granted: true,
      });
    await dropOver();
    expect(await published()).toContain(kid);
    await db().update(login).set({ revoked: true }).where(eq(login.id, id));
    await dropOver();
    await expect.poll(published).not.toContain(kid);
    await rotate({ retire: true });
  });
});
