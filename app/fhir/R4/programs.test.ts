import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { SERVER_SCOPE } from '#lib/base/ids.ts';
import { createUser } from '#lib/domain/accounts/create-user.ts';
import { write } from '#lib/domain/audit/write.ts';
import { insertMembership } from '#lib/domain/memberships/insert-membership.ts';
import { clientSecret } from '#lib/infra/db/schema/clients.ts';
import { callFhir } from '#lib/testing/fhir/call-fhir.ts';
import { type Caller, type FhirProject, makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createWorld } from '#lib/testing/world.ts';

let project: FhirProject;
let admin: Caller;

beforeAll(async () => {
  project = await makeFhirProject();
  admin = project.admin;
});

const PATCHES = { 'content-type': 'application/json-patch+json' };

const basic = (id: string, secret: string): Caller => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
  profile: '',
  membershipId: '',
});

describe('ClientApplication', () => {
  const make = async () =>
    (await callFhir(admin, 'POST', 'ClientApplication', { body: { resourceType: 'ClientApplication', name: 'App' } }))
      .body;

  test('a plain create gives a client that can sign in; the secret is shown this once', async () => {
    const made = await make();
    expect(made.secret).toMatch(/^[\w-]{40,}$/);
    expect((await callFhir(basic(made.id, made.secret), 'GET', 'Patient')).status).toBe(200);
    for (const path of [
      `ClientApplication/${made.id}`,
      `ClientApplication/${made.id}/_history`,
      `ClientApplication?_id=${made.id}`,
    ]) {
      const read = await callFhir(admin, 'GET', path);
      expect(read.text).toContain('"App"');
      expect(read.text).not.toContain(made.secret);
    }
  });

  test('who may write clients, and is no administrator, does not say who speaks for the people or the program', async () => {
    const made = await make();
    const writer = await project.member([{ resourceType: 'ClientApplication' }]);
    const put = (change: object, as = writer) =>
      callFhir(as, 'PUT', `ClientApplication/${made.id}`, { body: { ...made, ...change } });
    const identityProvider = { userInfoUrl: 'https://mine.example/me' };
    expect((await put({ identityProvider })).status).toBe(403);
    expect((await put({ jwksUri: 'https://mine.example/keys' })).status).toBe(403);
    const patch = [{ op: 'add', path: '/identityProvider', value: identityProvider }];
    expect(
      (await callFhir(writer, 'PATCH', `ClientApplication/${made.id}`, { body: patch, headers: PATCHES })).status,
    ).toBe(403);
    expect((await put({ identityProvider }, admin)).status).toBe(200);
    expect((await put({ identityProvider, name: 'Renamed' })).status).toBe(200);
    expect((await put({ identityProvider: { ...identityProvider, clientSecret: 'mine' } })).status).toBe(403);
    expect((await put({})).status).toBe(403);
  });

  test('an update keeps the secret, and refuses another one', async () => {
    const made = await make();
    const put = await callFhir(admin, 'PUT', `ClientApplication/${made.id}`, { body: { ...made, name: 'New' } });
    expect([put.status, put.body.name, put.body.secret]).toEqual([200, 'New', undefined]);
    expect((await callFhir(basic(made.id, made.secret), 'GET', 'Patient')).status).toBe(200);
    const other = await callFhir(admin, 'PUT', `ClientApplication/${made.id}`, { body: { ...made, secret: 'mine' } });
    expect([other.status, other.body.issue[0].expression]).toEqual([400, ['ClientApplication.secret']]);
    const unsafe = await callFhir(admin, 'PUT', `ClientApplication/${made.id}`, {
      body: { ...put.body, redirectUris: ['javascript:1'] },
    });
    expect(unsafe.status).toBe(400);
  });

  test('switching it off, and deleting it, ends its access at once', async () => {
    const off = await make();
    await callFhir(admin, 'PUT', `ClientApplication/${off.id}`, { body: { ...off, status: 'off' } });
    expect((await callFhir(basic(off.id, off.secret), 'GET', 'Patient')).status).toBe(401);
    const gone = await make();
    expect((await callFhir(admin, 'DELETE', `ClientApplication/${gone.id}`)).status).toBe(200);
    expect((await callFhir(basic(gone.id, gone.secret), 'GET', 'Patient')).status).toBe(401);
    expect(await db().select().from(clientSecret).where(eq(clientSecret.clientId, gone.id))).toEqual([]);
    const members = await callFhir(admin, 'GET', `ProjectMembership?user=ClientApplication/${gone.id}`);
    expect(members.body.entry).toBeUndefined();
  });

  test('$rotate-secret gives a new secret; the old one works until it is dropped', async () => {
    const made = await make();
    const rotate = (name: string, valueString: string) =>
      callFhir(admin, 'POST', `ClientApplication/${made.id}/$rotate-secret`, {
        body: { resourceType: 'Parameters', parameter: [{ name, valueString }] },
      });
    const status = async (secret: string) => (await callFhir(basic(made.id, secret), 'GET', 'Patient')).status;
    const rotated = await rotate('secret', made.secret);
    expect([rotated.status, rotated.body.resourceType]).toEqual([200, 'ClientApplication']);
    expect([await status(made.secret), await status(rotated.body.secret)]).toEqual([200, 200]);
    expect((await rotate('retiringSecret', made.secret)).body.secret).toBeUndefined();
    expect([await status(made.secret), await status(rotated.body.secret)]).toEqual([401, 200]);
    expect((await rotate('secret', 'wrong')).status).toBe(400);
    expect((await rotate('nonsense', 'x')).status).toBe(400);
    const member = await project.member();
    expect((await callFhir(member, 'POST', `ClientApplication/${made.id}/$rotate-secret`)).status).toBe(403);
    expect((await callFhir(admin, 'POST', 'ClientApplication/unknown/$rotate-secret')).status).toBe(404);
  });

  test('the last administrator is not deleted', async () => {
    const lonely = await makeFhirProject();
    expect((await callFhir(lonely.admin, 'DELETE', lonely.admin.profile)).status).toBe(409);
  });
});

describe('Bot', () => {
  test('a plain create gives it a membership, a delete takes it away', async () => {
    const made = await callFhir(admin, 'POST', 'Bot', { body: { resourceType: 'Bot', name: 'Echo' } });
    expect([made.status, made.body.name]).toEqual([201, 'Echo']);
    const members = () => callFhir(admin, 'GET', `ProjectMembership?profile=Bot/${made.body.id}`);
    expect((await members()).body.entry.length).toBe(1);
    const put = await callFhir(admin, 'PUT', `Bot/${made.body.id}`, { body: { ...made.body, description: 'D' } });
    expect([put.status, put.headers.get('etag')]).toEqual([200, 'W/"2"']);
    expect((await callFhir(admin, 'DELETE', `Bot/${made.body.id}`)).status).toBe(200);
    expect((await members()).body.entry).toBeUndefined();
  });
});

describe('User', () => {
  const ctx = { requestId: 'test', remoteAddress: '', userAgent: '' };
  const makeUser = (scope: string) =>
    write(ctx, (w) =>
      createUser(w, { scope, firstName: 'A', lastName: 'B', email: `${crypto.randomUUID()}@example.com` }),
    );

  test('an administrator reads those of the project, changes none, and sees none of the server’s', async () => {
    const scoped = await makeUser(project.projectId);
    const read = await callFhir(admin, 'GET', `User/${scoped.id}`);
    expect(read.body.firstName).toBe('A');
    expect((await callFhir(admin, 'PUT', `User/${scoped.id}`, { body: read.body })).status).toBe(403);
    expect((await callFhir(admin, 'DELETE', `User/${scoped.id}`)).status).toBe(405);
    expect((await callFhir(admin, 'POST', 'User', { body: read.body })).status).toBe(405);
    const global = await makeUser(SERVER_SCOPE);
    expect((await callFhir(admin, 'GET', `User/${global.id}`)).status).toBe(404);
    expect((await callFhir(admin, 'GET', `User?_id=${global.id}`)).body.entry).toBeUndefined();
  });
});

describe('one’s own User', () => {
  test('is read and renamed by its person, who changes nothing else of it', async () => {
    const world = await createWorld();
    const me: Caller = { authorization: world.owner.bearer, profile: '', membershipId: '' };
    const path = `User/${world.owner.userId}`;
    const read = await callFhir(me, 'GET', path);
    expect([read.status, read.body.email]).toEqual([200, world.owner.email]);
    const put = await callFhir(me, 'PUT', path, {
      body: { ...read.body, firstName: 'New', email: 'stolen@example.com', emailVerified: true, admin: true },
    });
    expect(put.body).toMatchObject({
      firstName: 'New',
      email: world.owner.email,
      emailVerified: read.body.emailVerified,
    });
    expect(put.body.admin).toBeUndefined();
    const patch = await callFhir(me, 'PATCH', path, {
      body: '[{"op":"replace","path":"/lastName","value":"Name"}]',
      headers: { 'content-type': 'application/json-patch+json' },
    });
    expect([patch.status, patch.body.lastName]).toEqual([200, 'Name']);
    expect((await callFhir(me, 'DELETE', path)).status).toBe(405);
    expect((await callFhir(admin, 'GET', path)).status).toBe(404);
  });
});

describe('a profile', () => {
  test('409 for deleting one that somebody signs in with, naming the membership', async () => {
    const doctor = (await callFhir(admin, 'POST', 'Practitioner', { body: { resourceType: 'Practitioner' } })).body;
    const user = { reference: `User/${crypto.randomUUID()}` };
    const membership = await write({ requestId: 't', remoteAddress: '', userAgent: '' }, (w) =>
      insertMembership(
        w,
        project.projectId,
        { user, profile: { reference: `Practitioner/${doctor.id}` } },
        { author: undefined },
      ),
    );
    const answer = await callFhir(admin, 'DELETE', `Practitioner/${doctor.id}`);
    expect([answer.status, answer.body.issue[0].code]).toEqual([409, 'conflict']);
    expect(answer.text).toContain(membership.id);
  });
});
