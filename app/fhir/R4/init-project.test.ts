import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { write } from '#lib/domain/audit/write.ts';
import { insertMembership } from '#lib/domain/memberships/insert-membership.ts';
import { auditEvent } from '#lib/infra/db/schema/operations.ts';
import { type Call, callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { callAuth } from '#lib/testing/call-auth.ts';
import { toLink, waitingMail } from '#lib/testing/links.ts';
import { makePerson, PASSWORD } from '#lib/testing/people.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { anEmail, createSuperAdmin, createWorld, START_CTX, signIn } from '#lib/testing/world.ts';

let root: string;
const init = (body: unknown, by: string | undefined = root, call: Call = {}) =>
  callApi(by, 'POST', '/fhir/R4/Project/$init', { body, ...call });

beforeAll(async () => {
  root = await createSuperAdmin();
});

/** What the project has of a type, as the super-admin's own project does not show it: by its audit trail. */
async function made(projectId: string): Promise<string[]> {
  const rows = await db().select().from(auditEvent).where(eq(auditEvent.projectId, projectId));
  return rows.map(({ action }) => action).sort();
}

const VERIFIER = 'v'.repeat(43);
const login = (email: string, password = PASSWORD) =>
  callAuth('POST', '/auth/login', { body: { email, password, codeChallenge: VERIFIER, codeChallengeMethod: 'plain' } });

describe('201', () => {
  test('without an owner: the project with its default policies and client, from a plain body', async () => {
    const answer = await init({ name: '  Bare  ' });
    expect([answer.status, answer.body.resourceType, answer.body.name]).toEqual([201, 'Project', 'Bare']);
    expect(answer.body).toMatchObject({ strictMode: true, features: ['bots', 'cron'] });
    expect(answer.body.owner).toBeUndefined();
    expect(answer.body.defaultAccessPolicies).toHaveLength(4);
    expect(answer.headers.get('location')).toMatch(new RegExp(`/fhir/R4/Project/${answer.body.id}/_history/1$`));
    expect(answer.headers.get('etag')).toBe('W/"1"');
    expect((await made(answer.body.id)).filter((action) => !action.startsWith('access-policy'))).toEqual([
      'client.create',
      'membership.create',
      'project.create',
    ]);
  });

  test('an unknown ownerEmail, from Parameters: a person without a password, invited by mail, who then administers it', async () => {
    const email = anEmail();
    const parameter = [
      { name: 'name', valueString: 'Fresh' },
      { name: 'ownerEmail', valueString: email.toUpperCase() },
    ];
    const answer = await init({ resourceType: 'Parameters', parameter });
    expect(answer.status).toBe(201);
    expect(answer.body.owner.display).toBe(email);
    expect((await login(email)).status).toBe(400);
    const [mail] = await waitingMail(email);
    expect(mail!.template).toBe('invite');
    const link = toLink(mail!.params.url);
    const accepted = await callAuth('POST', '/auth/setpassword', { body: { ...link, password: PASSWORD } });
    expect(accepted.status).toBe(200);
    const signedIn = await login(email);
    expect(signedIn.status).toBe(200);
    const { body: tokens } = await callAuth('POST', '/oauth2/token', {
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code: signedIn.body.code,
        code_verifier: VERIFIER,
      }),
    });
    const members = await callApi(`Bearer ${tokens.access_token}`, 'GET', '/fhir/R4/ProjectMembership?admin=true');
    expect(members.body.entry).toHaveLength(1);
    expect(members.body.entry[0].resource.profile.reference).toMatch(/^Practitioner\//);
  });

  test('an owner by reference or address whose address is not proven gets in only by the mail', async () => {
    for (const by of ['owner', 'ownerEmail']) {
      const { userId, email } = await makePerson();
      const owner = by === 'owner' ? { owner: { reference: `User/${userId}` } } : { ownerEmail: email };
      const answer = await init({ name: 'Trap', ...owner });
      expect([answer.status, answer.body.owner.reference]).toEqual([201, `User/${userId}`]);
      expect((await login(email)).body.code).toBeUndefined();
      const [mail] = await waitingMail(email);
      expect(mail!.template).toBe('invite');
      await callAuth('POST', '/auth/setpassword', { body: { ...toLink(mail!.params.url), password: 'New-Violet-51' } });
      expect((await login(email, 'New-Violet-51')).body.code).toBeTruthy();
    }
  });

  test('a super-admin who is a person owns what they make, and gets no mail', async () => {
    const first = await createWorld();
    const { body: project } = await callApi(root, 'GET', `/fhir/R4/Project/${first.projectId}`);
    expect(project.name).toBe('Test project');
    const { userId, email } = first.owner;
    const person = await personInRoot(userId);
    const answer = await init({ name: 'Own' }, person);
    expect([answer.status, answer.body.owner]).toEqual([201, { reference: `User/${userId}`, display: email }]);
    expect(await waitingMail(email)).toEqual([]);
  });

  test('once for each Idempotency-Key', async () => {
    const headers = { 'idempotency-key': newId() };
    const [one, two] = [
      await init({ name: 'Once' }, root, { headers }),
      await init({ name: 'Once' }, root, { headers }),
    ];
    expect([one.status, two.status, two.body.id]).toEqual([201, 201, one.body.id]);
  });
});

/** A member of the super-admin project who is a person. */
async function personInRoot(userId: string): Promise<string> {
  const { body } = await callApi(root, 'GET', '/fhir/R4/Project?name=Super');
  const projectId = body.entry[0].resource.id;
  const user = { reference: `User/${userId}` };
  const row = await write(START_CTX, (w) =>
    insertMembership(
      w,
      projectId,
      { user, profile: { reference: `Practitioner/${newId()}` }, admin: true },
      { author: undefined },
    ),
  );
  return signIn(projectId, row.id, `User/${userId}`);
}

describe('400', () => {
  test.each([
    ['no body', undefined, ['name']],
    ['a blank name', { name: ' ' }, ['name']],
    ['a name that is no text', { name: 7 }, ['name']],
    ['an owner that is no reference', { name: 'A', owner: 'User/1' }, ['owner']],
    ['an address that is none', { name: 'A', ownerEmail: 'nobody' }, ['ownerEmail']],
    ['both owners', { name: 'A', owner: { reference: 'User/1' }, ownerEmail: 'a@example.com' }, ['ownerEmail']],
    ['an unknown field', { name: 'A', superAdmin: true }, ['superAdmin']],
    ['an owner who is nobody', { name: 'A', owner: { reference: `User/${newId()}` } }, ['owner']],
    ['an owner of another type', { name: 'A', owner: { reference: 'Patient/1' } }, ['owner']],
    [
      'a parameter given twice',
      {
        resourceType: 'Parameters',
        parameter: [
          { name: 'name', valueString: 'A' },
          { name: 'name', valueString: 'B' },
        ],
      },
      ['Parameters.parameter[1]'],
    ],
    [
      'a parameter without a value',
      { resourceType: 'Parameters', parameter: [{ name: 'name' }] },
      ['Parameters.parameter[0]'],
    ],
  ])('%s', async (_, body, expressions) => {
    expectOutcome(await init(body), 400, ...expressions);
  });

  test('an owner who belongs to one project', async () => {
    const world = await createWorld();
    const patient = await world.invite({ resourceType: 'Patient' });
    expectOutcome(await init({ name: 'A', owner: patient.user }), 400, 'owner');
  });
});

test('401 for nobody, 403 for an administrator of a project, before anything is said of the body; 405 for GET; 415 for XML', async () => {
  const { owner } = await createWorld();
  expectOutcome(await callApi(undefined, 'POST', '/fhir/R4/Project/$init', { body: {} }), 401);
  expectOutcome(await init({}, owner.bearer), 403);
  expectOutcome(await callApi(root, 'GET', '/fhir/R4/Project/$init'), 405);
  expectOutcome(await init('<a/>', root, { headers: { 'content-type': 'application/xml' } }), 415);
});
