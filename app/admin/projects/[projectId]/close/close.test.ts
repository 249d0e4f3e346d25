import { readFileSync } from 'node:fs';
import { and, eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { login } from '#lib/infra/db/schema/login.ts';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { callAuth } from '#lib/testing/call-auth.ts';
import { toLink, waitingMail } from '#lib/testing/links.ts';
import { addProject, makeClient, makeOwner, type Owner, PASSWORD, type TestClient } from '#lib/testing/people.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createSuperAdmin, createWorld, signIn } from '#lib/testing/world.ts';

let owner: Owner;
let bearer: string;
let client: TestClient;

beforeEach(async () => {
  owner = await makeOwner();
  bearer = await signIn(owner.projectId, owner.membershipId, `User/${owner.userId}`);
  client = await makeClient(owner.projectId, {}, { admin: true });
});

const close = (authorization: string | undefined, body: unknown = { name: 'Stone Clinic' }) =>
  callApi(authorization, 'POST', `/admin/projects/${owner.projectId}/close`, { body });
const reopen = (link: { id: string; secret: string }) => callAuth('POST', '/auth/reopen', { body: link });
const wayBack = async () => toLink((await waitingMail(owner.email))[0]?.params.url);
const readsPatients = async (authorization: string) => (await callApi(authorization, 'GET', '/fhir/R4/Patient')).status;
const token = (from: TestClient) =>
  callAuth('POST', '/oauth2/token', {
    body: new URLSearchParams({ grant_type: 'client_credentials', client_id: from.id, client_secret: from.secret }),
  });
const enter = () =>
  callAuth('POST', '/auth/login', {
    body: { email: owner.email, password: PASSWORD, projectId: owner.projectId },
  });

/** Every login of the project is as old as a day. */
async function age(): Promise<void> {
  const then = new Date(Date.now() - 86_400_000);
  await db().update(login).set({ authTime: then }).where(eq(login.projectId, owner.projectId));
}

describe('POST /admin/projects/[projectId]/close', () => {
  test('ends every token at once, lets nobody in and keeps the data; the owner has a way back by mail', async () => {
    const answer = await callApi(client.basic, 'POST', '/fhir/R4/Patient', { body: { resourceType: 'Patient' } });
    const ofProgram = `Bearer ${(await token(client)).body.access_token}`;
    const all = [bearer, client.basic, ofProgram];
    expect(await Promise.all(all.map(readsPatients))).toEqual([200, 200, 200]);

    const closed = await close(bearer);
    expect([closed.status, closed.body]).toEqual([200, { closed: true, reopenUntil: expect.any(String) }]);
    expect(await Promise.all(all.map(readsPatients))).toEqual([401, 401, 401]);
    expect((await token(client)).status).toBe(400);
    expect((await enter()).status).toBe(400);

    const link = await wayBack();
    expect((await callAuth('POST', '/auth/link', { body: link })).body).toMatchObject({
      type: 'reopen',
      state: 'open',
      project: { id: owner.projectId, name: 'Stone Clinic' },
    });
    expect((await reopen(link)).status).toBe(200);
    // What had been issued before has ended for good; the secret of a program was not.
    expect(await Promise.all(all.map(readsPatients))).toEqual([401, 200, 401]);
    expect((await enter()).status).toBe(200);
    expect((await token(client)).status).toBe(200);
    const found = await callApi(client.basic, 'GET', `/fhir/R4/Patient/${answer.body.id}`);
    expect(found.status).toBe(200);
    const log = await callApi(client.basic, 'GET', `/admin/projects/${owner.projectId}/audit?action=project.*`);
    expect(log.body.rows.map(({ action }: { action: string }) => action)).toEqual(
      expect.arrayContaining(['project.close', 'project.reopen']),
    );
  });

  test('the example of docs/projects.md runs', async () => {
    const [, example] = readFileSync('docs/projects.md', 'utf8').split('```http');
    const [, body] = /close\n(.+)\n/.exec(example!)!;
    expect((await close(bearer, JSON.parse(body!))).status).toBe(200);
  });

  test('keys, directories and refresh tokens are refused as well; keys and directories go on when it is open again', async () => {
    const path = `/admin/projects/${owner.projectId}`;
    await callApi(bearer, 'POST', `${path}/settings`, { body: [{ name: 'apiKeys', valueBoolean: true }] });
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
    const { key } = (
      await callApi(bearer, 'POST', '/auth/keys', { body: { name: 'Script', scope: 'user/Patient.rs', expiresAt } })
    ).body;
    const directory = (await callApi(bearer, 'POST', `${path}/scim`, { body: { name: 'Okta' } })).body;
    const resting = async () => [
      await readsPatients(`Bearer ${key}`),
      (await callApi(`Bearer ${directory.token}`, 'GET', '/scim/v2/Users')).status,
    ];
    expect(await resting()).toEqual([200, 200]);
    await close(bearer);
    expect(await resting()).toEqual([401, 401]);
    await reopen(await wayBack());
    expect(await resting()).toEqual([200, 200]);
  });

  test('a person who is in other projects goes on there', async () => {
    const other = await addProject(owner.userId, owner.email);
    const elsewhere = await signIn(other.projectId, other.membershipId, `User/${owner.userId}`);
    await close(bearer);
    expect(await readsPatients(elsewhere)).toBe(200);
  });

  test('the link works once, also of ten at once, and is not sent again', async () => {
    await close(bearer);
    const link = await wayBack();
    const answers = await Promise.all(Array.from({ length: 10 }, () => reopen(link)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(400)]);
    expect((await reopen({ ...link, secret: 'x' })).status).toBe(400);
    expect((await callAuth('POST', '/auth/link/renew', { body: link })).status).toBe(400);
  });

  test('the link opens the project and is nothing else: it sets no password, and is still good then', async () => {
    await close(bearer);
    const link = await wayBack();
    const taken = await callAuth('POST', '/auth/setpassword', { body: { ...link, password: 'Stolen-Account-13' } });
    expectOutcome(taken, 400, 'id');
    expect((await reopen(link)).status).toBe(200);
    expect((await enter()).status).toBe(200);
  });

  test('is the owner’s, with a proof that is young, and says which project', async () => {
    expectOutcome(await close(bearer, { name: 'Stone Clinic ' }), 400, 'name');
    expectOutcome(await close(bearer, {}), 400, 'name');
    expectOutcome(await close(bearer, { name: 'Stone Clinic', when: 'now' }), 400);
    expectOutcome(await close(bearer, { name: 'Stone\u0000' }), 400, 'name');
    // Administrators that are not the owner, programs among them, and those of other projects.
    expectOutcome(await close(client.basic), 403);
    expectOutcome(await close((await createWorld()).owner.bearer), 403);
    expect((await close(undefined)).status).toBe(401);
    await age();
    const late = await close(bearer);
    expectOutcome(late, 403);
    expect(late.text).toContain('Show again who you are');
    expect(await readsPatients(bearer)).toBe(200);
  });

  test('the longest name is a name, and 1 MB is none', async () => {
    const name = 'x'.repeat(128);
    const body = [{ op: 'add', path: '/name', value: name }];
    const headers = { 'content-type': 'application/json-patch+json' };
    const renamed = await callApi(bearer, 'PATCH', `/fhir/R4/Project/${owner.projectId}`, { body, headers });
    expect(renamed.status, renamed.text).toBe(200);
    expectOutcome(await close(bearer, { name: 'x'.repeat(1_100_000) }), 413);
    expect((await close(bearer, { name })).status).toBe(200);
  });

  test('ten at once close it once', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => close(bearer)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status !== 200 && ![401, 409].includes(status))).toEqual([]);
    expect(await waitingMail(owner.email)).toHaveLength(1);
  });
});

describe('a super-admin', () => {
  const patch = (root: string, projectId: string, active: boolean) =>
    callApi(root, 'PATCH', `/fhir/R4/Project/${projectId}`, {
      body: [{ op: 'add', path: '/active', value: active }],
      headers: { 'content-type': 'application/json-patch+json' },
    });

  test('opens and closes it by Project.active, with the same end of every session', async () => {
    const root = await createSuperAdmin();
    await close(bearer);
    const link = await wayBack();
    expect((await patch(root, owner.projectId, true)).status).toBe(200);
    expect(await readsPatients(bearer)).toBe(401);
    const again = await signIn(owner.projectId, owner.membershipId, `User/${owner.userId}`);
    expect((await patch(root, owner.projectId, false)).status).toBe(200);
    expect(await readsPatients(again)).toBe(401);
    // What the owner was mailed before does not open what somebody else has closed.
    expect((await reopen(link)).status).toBe(400);
    const rows = await db()
      .select()
      .from(login)
      .where(and(eq(login.projectId, owner.projectId), eq(login.revoked, false), eq(login.authMethod, 'password')));
    expect(rows).toEqual([]);
  });

  test('closes once more what the owner has closed, which takes the owner’s way back', async () => {
    const root = await createSuperAdmin();
    await close(bearer);
    const link = await wayBack();
    const answer = await close(root);
    expect([answer.status, answer.body]).toEqual([200, { closed: true }]);
    expect((await reopen(link)).status).toBe(400);
  });

  test('does not close the project of the administrators of the server', async () => {
    const root = await createSuperAdmin();
    const { body } = await callApi(root, 'GET', '/auth/me');
    expect((await patch(root, body.project.id, false)).status).toBe(409);
    const path = `/admin/projects/${body.project.id}/close`;
    expect((await callApi(root, 'POST', path, { body: { name: body.project.name } })).status).toBe(409);
    expect((await callApi(root, 'GET', '/auth/me')).status).toBe(200);
  });
});
