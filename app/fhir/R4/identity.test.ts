import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { SERVER_SCOPE } from '#lib/base/ids.ts';
import { createUser } from '#lib/domain/accounts/create-user.ts';
import { write } from '#lib/domain/audit/write.ts';
import { insertMembership } from '#lib/domain/memberships/insert-membership.ts';
import { db } from '#lib/infra/db/client.ts';
import { clientSecret } from '#lib/infra/db/schema/identity.ts';
import { auditEvent, binaryContent } from '#lib/infra/db/schema/operations.ts';
import { callFhir } from '#lib/testing/call-fhir.ts';
import { type Caller, type FhirProject, makeFhirProject } from '#lib/testing/fhir-project.ts';
import { createWorld } from '#lib/testing/world.ts';

let project: FhirProject;
let admin: Caller;
let superAdmin: Caller;

beforeAll(async () => {
  project = await makeFhirProject();
  admin = project.admin;
  superAdmin = (await makeFhirProject(true)).admin;
});

const basic = (id: string, secret: string): Caller => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
  profile: '',
  membershipId: '',
});

describe('ProjectMembership', () => {
  test('is read and not written: 405 names the admin endpoint, 403 for who is no administrator', async () => {
    const read = await callFhir(admin, 'GET', `ProjectMembership/${admin.membershipId}`);
    expect([read.status, read.body.admin]).toEqual([200, true]);
    const member = await project.member();
    const calls: [string, string, string][] = [
      ['POST', 'ProjectMembership', 'invite'],
      ['PUT', `ProjectMembership/${admin.membershipId}`, '/members/'],
      ['PATCH', `ProjectMembership/${admin.membershipId}`, '/members/'],
      ['DELETE', `ProjectMembership/${admin.membershipId}`, '/members/'],
      ['DELETE', `ProjectMembership?_id=${admin.membershipId}`, '/members/'],
      ['PUT', `ProjectMembership?_id=${admin.membershipId}`, '/members/'],
    ];
    for (const [method, path, text] of calls) {
      const call =
        method === 'PATCH'
          ? { body: '[]', headers: { 'content-type': 'application/json-patch+json' } }
          : { body: read.body };
      const answer = await callFhir(admin, method, path, call);
      expect([answer.status, answer.headers.get('allow')], `${method} ${path}`).toEqual([405, 'GET, HEAD, OPTIONS']);
      expect(answer.body.issue[0].details.text).toContain(text);
      expect((await callFhir(member, method, path, call)).status).toBe(403);
    }
  });
});

describe('Project', () => {
  const own = () => callFhir(admin, 'GET', `Project/${project.projectId}`);

  test('an administrator sees the own one, without what is the server’s', async () => {
    const { status, body } = await own();
    expect([status, body.name]).toEqual([200, 'Test']);
    expect(Object.keys(body)).not.toEqual(expect.arrayContaining(['superAdmin', 'strictMode', 'systemSecret']));
    expect((await callFhir(admin, 'GET', 'Project')).body.entry.length).toBe(1);
    const other = await makeFhirProject();
    expect((await callFhir(other.admin, 'GET', `Project/${project.projectId}`)).status).toBe(404);
    expect((await callFhir(superAdmin, 'GET', `Project/${project.projectId}`)).body.name).toBe('Test');
    expect((await callFhir(superAdmin, 'GET', 'Project/not-a-uuid')).status).toBe(404);
  });

  test('an administrator changes the description, and not the features, the owner or its rank', async () => {
    const { body } = await own();
    const changed = {
      ...body,
      description: 'New',
      features: ['x'],
      superAdmin: true,
      strictMode: false,
      active: false,
    };
    const put = await callFhir(admin, 'PUT', `Project/${project.projectId}`, { body: changed });
    expect([put.status, put.body.description, put.body.features]).toEqual([200, 'New', body.features]);
    const stored = (await callFhir(superAdmin, 'GET', `Project/${project.projectId}`)).body;
    expect([stored.superAdmin, stored.strictMode, stored.active]).toEqual([undefined, undefined, undefined]);
  });

  test('400 for secrets and for a default policy of another project', async () => {
    const { body } = await own();
    const put = (more: object) =>
      callFhir(admin, 'PUT', `Project/${project.projectId}`, { body: { ...body, ...more } });
    const secret = await put({ secret: [{ name: 'a', valueString: 'b' }] });
    expect([secret.status, secret.body.issue[0].expression]).toEqual([400, ['Project.secret']]);
    const foreign = (await callFhir((await makeFhirProject()).admin, 'GET', 'AccessPolicy')).body.entry[0].resource.id;
    const policy = await put({
      defaultAccessPolicies: [{ profileType: 'Patient', accessPolicy: { reference: `AccessPolicy/${foreign}` } }],
    });
    expect([policy.status, policy.body.issue[0].expression]).toEqual([
      400,
      ['Project.defaultAccessPolicies[0].accessPolicy'],
    ]);
  });

  test('made by a super-admin only, never deleted, never made a root', async () => {
    const body = { resourceType: 'Project', name: 'Fresh' };
    const made = await callFhir(superAdmin, 'POST', 'Project', { body });
    expect([made.status, made.body.name]).toEqual([201, 'Fresh']);
    expect((await callFhir(admin, 'POST', 'Project', { body })).status).toBe(403);
    expect((await callFhir(superAdmin, 'POST', 'Project', { body: { resourceType: 'Project' } })).status).toBe(400);
    expect((await callFhir(admin, 'DELETE', `Project/${project.projectId}`)).status).toBe(405);
    const read = await callFhir(superAdmin, 'GET', `Project/${made.body.id}`);
    const put = await callFhir(superAdmin, 'PUT', `Project/${made.body.id}`, {
      body: { ...read.body, superAdmin: true, features: ['bots', 'cron'] },
    });
    expect([put.status, put.body.features, put.body.superAdmin]).toEqual([200, ['bots', 'cron'], undefined]);
  });

  test('switching one off ends its callers’ sessions', async () => {
    const doomed = await makeFhirProject();
    const read = await callFhir(superAdmin, 'GET', `Project/${doomed.projectId}`);
    expect((await callFhir(doomed.admin, 'GET', 'Patient')).status).toBe(200);
    await callFhir(superAdmin, 'PUT', `Project/${doomed.projectId}`, { body: { ...read.body, active: false } });
    expect((await callFhir(doomed.admin, 'GET', 'Patient')).status).toBe(401);
  });
});

describe('AccessPolicy', () => {
  const policy = (rule: object) => ({ resourceType: 'AccessPolicy', name: 'P', resource: [rule] });

  test('a change of it reaches its members with the next request', async () => {
    const member = await project.member([{ resourceType: 'Patient' }]);
    expect((await callFhir(member, 'GET', 'Patient')).status).toBe(200);
    const membership = (await callFhir(admin, 'GET', `ProjectMembership/${member.membershipId}`)).body;
    const path = membership.accessPolicy.reference;
    const stored = (await callFhir(admin, 'GET', path)).body;
    await callFhir(admin, 'PUT', path, { body: { ...stored, resource: [{ resourceType: 'Practitioner' }] } });
    expect((await callFhir(member, 'GET', 'Patient')).status).toBe(403);
  });

  test.each([
    [{ resourceType: 'Patient', criteria: 'Patient?nosuch=1' }, 'AccessPolicy.resource[0].criteria'],
    [{ resourceType: 'Patient', criteria: 'Patient?name=ann' }, 'AccessPolicy.resource[0].criteria'],
    [{ resourceType: 'Patient', criteria: 'Practitioner?_id=1' }, 'AccessPolicy.resource[0].criteria'],
    [{ resourceType: '*', criteria: '*?_tag=x' }, 'AccessPolicy.resource[0].criteria'],
    [{ resourceType: 'Nonsense' }, 'AccessPolicy.resource[0].resourceType'],
  ])('400 for %j', async (rule, expression) => {
    const answer = await callFhir(admin, 'POST', 'AccessPolicy', { body: policy(rule) });
    expect([answer.status, answer.body.issue[0].expression]).toEqual([400, [expression]]);
  });

  test('409 while a membership or the project uses it, and gone after', async () => {
    const member = await project.member([{ resourceType: 'Patient' }]);
    const path = (await callFhir(admin, 'GET', `ProjectMembership/${member.membershipId}`)).body.accessPolicy.reference;
    const used = await callFhir(admin, 'DELETE', path);
    expect(used.status).toBe(409);
    expect(used.body.issue[0].details.text).toContain(`ProjectMembership/${member.membershipId}`);
    const fallback = (await callFhir(admin, 'GET', `Project/${project.projectId}`)).body.defaultAccessPolicies[0];
    expect((await callFhir(admin, 'DELETE', fallback.accessPolicy.reference)).status).toBe(409);
    const free = (await callFhir(admin, 'POST', 'AccessPolicy', { body: policy({ resourceType: 'Patient' }) })).body;
    expect((await callFhir(admin, 'DELETE', `AccessPolicy/${free.id}`)).status).toBe(200);
    expect((await callFhir(admin, 'PUT', `AccessPolicy/${free.id}`, { body: free })).status).toBe(410);
  });

  test('leaves an audit row with before and after', async () => {
    const made = (await callFhir(admin, 'POST', 'AccessPolicy', { body: policy({ resourceType: 'Patient' }) })).body;
    await callFhir(admin, 'PUT', `AccessPolicy/${made.id}`, { body: { ...made, name: 'Q' } });
    const rows = await db()
      .select()
      .from(auditEvent)
      .where(eq(auditEvent.target, `AccessPolicy/${made.id}`));
    expect(rows.map(({ action, actor }) => [action, actor]).sort()).toEqual([
      ['access-policy.create', admin.profile],
      ['access-policy.update', admin.profile],
    ]);
    expect(rows.find(({ action }) => action.endsWith('update'))).toMatchObject({
      before: { name: 'P' },
      after: { name: 'Q' },
    });
  });
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

describe('Binary', () => {
  const bytes = new Uint8Array([0, 255, 1, 2, 3]);
  const upload = (caller = admin, headers: Record<string, string> = {}) =>
    callFhir(caller, 'POST', 'Binary?_filename=x.bin', {
      body: bytes,
      headers: { 'content-type': 'image/png', ...headers },
    });

  test('raw bytes go in and come out, harmless for a browser', async () => {
    const made = await upload();
    expect([made.status, made.body.url, made.body.contentType]).toEqual([201, `Binary/${made.body.id}`, 'image/png']);
    const raw = await callFhir(admin, 'GET', `Binary/${made.body.id}`, { headers: { accept: '*/*' } });
    expect(raw.headers.get('content-type')).toBe('image/png');
    expect(raw.headers.get('content-disposition')).toBe('attachment');
    expect(raw.headers.get('content-security-policy')).toContain('sandbox');
    expect(raw.text).toBe(new TextDecoder().decode(bytes));
    const fhir = await callFhir(admin, 'GET', `Binary/${made.body.id}`, {
      headers: { accept: 'application/fhir+json, */*; q=0.1' },
    });
    expect(fhir.body).toMatchObject({ resourceType: 'Binary', data: Buffer.from(bytes).toString('base64') });
  });

  test('a Binary as FHIR JSON is the same thing; JSON of any other kind is a file', async () => {
    const body = { resourceType: 'Binary', contentType: 'text/plain', data: Buffer.from('hello').toString('base64') };
    const made = await callFhir(admin, 'POST', 'Binary', { body });
    expect((await callFhir(admin, 'GET', `Binary/${made.body.id}`)).text).toBe('hello');
    const file = await callFhir(admin, 'POST', 'Binary', {
      body: '{"a":1}',
      headers: { 'content-type': 'application/json' },
    });
    const back = await callFhir(admin, 'GET', `Binary/${file.body.id}`, { headers: { accept: '*/*' } });
    expect([back.text, back.headers.get('content-type')]).toEqual(['{"a":1}', 'application/json']);
  });

  test('who may not read the security context gets 404', async () => {
    const patient = (await callFhir(admin, 'POST', 'Patient', { body: { resourceType: 'Patient' } })).body;
    const made = await upload(admin, { 'x-security-context': `Patient/${patient.id}` });
    const stranger = await project.member([{ resourceType: 'Binary' }]);
    expect((await callFhir(stranger, 'GET', `Binary/${made.body.id}`)).status).toBe(404);
    const reader = await project.member([{ resourceType: 'Binary' }, { resourceType: 'Patient' }]);
    expect((await callFhir(reader, 'GET', `Binary/${made.body.id}`)).status).toBe(200);
    expect((await upload(admin, { 'x-security-context': 'nonsense' })).status).toBe(400);
  });

  test('never changes, and its bytes go with it', async () => {
    const { body } = await upload();
    expect((await callFhir(admin, 'PUT', `Binary/${body.id}`, { body })).status).toBe(405);
    expect((await callFhir(admin, 'DELETE', `Binary/${body.id}`)).status).toBe(200);
    expect((await callFhir(admin, 'GET', `Binary/${body.id}`)).status).toBe(410);
    expect(await db().select().from(binaryContent).where(eq(binaryContent.id, body.id))).toEqual([]);
  });

  test('400 without a content type, 413 beyond 20 MiB, 404 for another project', async () => {
    expect((await callFhir(admin, 'POST', 'Binary', { body: bytes })).status).toBe(400);
    const big = new Uint8Array(20 * 1024 * 1024 + 1);
    expect(
      (await callFhir(admin, 'POST', 'Binary', { body: big, headers: { 'content-type': 'image/png' } })).status,
    ).toBe(413);
    const { body } = await upload();
    expect((await callFhir((await makeFhirProject()).admin, 'GET', `Binary/${body.id}`)).status).toBe(404);
  });
});
