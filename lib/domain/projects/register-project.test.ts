import { and, eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { env } from '#lib/base/env.ts';
import { SUPER_ADMIN_PROJECT } from '#lib/base/ids.ts';
import { hashSecret } from '#lib/infra/crypto/secret.ts';
import { clientSecret } from '#lib/infra/db/schema/clients.ts';
import { membershipKey } from '#lib/infra/db/schema/identity.ts';
import { callApi } from '#lib/testing/call-api.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createWorld, START_CTX } from '#lib/testing/world.ts';
import { ensureSuperAdmin } from './ensure-super-admin.ts';

test('registration makes the owner an administrator on the Admin policy, with a profile and a default client', async () => {
  const world = await createWorld();
  const search = await callApi(world.owner.bearer, 'GET', '/fhir/R4/ProjectMembership?_sort=_lastUpdated');
  const members = search.body.entry.map((entry: { resource: object }) => entry.resource);
  expect(members).toHaveLength(2);
  const owner = members.find((member: { admin?: boolean }) => member.admin);
  expect(owner).toMatchObject({
    id: world.owner.membershipId,
    user: { reference: `User/${world.owner.userId}` },
    accessPolicy: { display: 'Default Admin Access Policy' },
  });
  const client = members.find((member: { admin?: boolean }) => !member.admin);
  expect(client.profile.display).toBe('Test project Default Client');
  const profile = await callApi(world.owner.bearer, 'GET', `/fhir/R4/${owner.profile.reference}`);
  expect(profile.body.telecom[0].value).toBe(world.owner.email);
});

const ID = '11111111-2222-4333-8444-555555555555';

test('the super-admin client: made once by several instances at once, unchanged by a restart, and its new secret ends the old one', async () => {
  const settings = env();
  Object.assign(settings, { SUPERADMIN_CLIENT_ID: ID, SUPERADMIN_CLIENT_SECRET: 'first-secret-of-root' });
  await Promise.all(Array.from({ length: 5 }, () => ensureSuperAdmin(START_CTX)));
  await ensureSuperAdmin(START_CTX);
  const keys = await db()
    .select()
    .from(membershipKey)
    .where(and(eq(membershipKey.projectId, SUPER_ADMIN_PROJECT), eq(membershipKey.userRef, `ClientApplication/${ID}`)));
  expect(keys).toMatchObject([{ admin: true, active: true }]);
  const basic = (secret: string) => `Basic ${Buffer.from(`${ID}:${secret}`).toString('base64')}`;
  const body = { resourceType: 'Project', name: 'By root' };
  expect((await callApi(basic('first-secret-of-root'), 'POST', '/admin/Project', { body })).status).toBe(201);
  const form = new URLSearchParams({ grant_type: 'client_credentials' });
  const token = (await callApi(basic('first-secret-of-root'), 'POST', '/oauth2/token', { body: form })).body
    .access_token;
  const read = async () => (await callApi(`Bearer ${token}`, 'GET', '/fhir/R4/Project')).status;
  expect(await read()).toBe(200);
  Object.assign(settings, { SUPERADMIN_CLIENT_SECRET: 'second-secret-of-root' });
  await ensureSuperAdmin(START_CTX);
  expect(await read()).toBe(401);
  expect((await callApi(basic('first-secret-of-root'), 'POST', '/admin/Project', { body })).status).toBe(401);
  expect((await callApi(basic('second-secret-of-root'), 'POST', '/admin/Project', { body })).status).toBe(201);
  const [row] = await db().select().from(clientSecret).where(eq(clientSecret.clientId, ID));
  expect(row?.secretHash).toBe(hashSecret('second-secret-of-root'));
});
