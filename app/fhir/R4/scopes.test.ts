import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { flushRefusals } from '#lib/domain/refusals/note-refusal.ts';
import { stopRunner } from '#lib/domain/runs/runner.ts';
import { watchStatements } from '#lib/infra/db/client.ts';
import { startInvalidation, stopInvalidation } from '#lib/infra/db/invalidation.ts';
import { deployedBot } from '#lib/testing/bots.ts';
import { type Answer, callApi } from '#lib/testing/call-api.ts';
import { changeMember, type Owner, signIn } from '#lib/testing/people.ts';
import { createWorld, type World } from '#lib/testing/world.ts';

type Body = Answer['body'];
type Send = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>;

const LAB = [{ coding: [{ system: 'urn:c', code: 'laboratory' }] }];
const IMAGING = [{ coding: [{ system: 'urn:c', code: 'imaging' }] }];

let world: World;
let owner: Owner;
/** The patient, who may do everything with records (no policy), so that what is missing is the scope's doing. */
let patient: Owner;
let patientId: string;
let otherId: string;
let lab: Body;
let imaging: Body;
let foreign: Body;

function observation(subject: string, category = LAB) {
  return {
    resourceType: 'Observation',
    status: 'final',
    code: { text: 'x' },
    category,
    subject: { reference: `Patient/${subject}` },
  };
}

/** Calls of a login of theirs that has this scope. */
async function as(who: Owner, scope: string): Promise<Send> {
  const { access } = await signIn(who, { scope });
  return (method, path, body, headers) =>
    callApi(`Bearer ${access}`, method, path.startsWith('/') ? path : `/fhir/R4/${path}`, { body, headers });
}

async function create(body: object): Promise<Body> {
  const answer = await callApi(world.owner.bearer, 'POST', `/fhir/R4/${(body as Body).resourceType}`, { body });
  expect(answer.status, answer.text).toBe(201);
  return answer.body;
}

const idsOf = ({ body }: Answer): string[] => (body.entry ?? []).map((entry: Body) => entry.resource.id).sort();
const patch = (send: Send, path: string, operations: object[]) =>
  send('PATCH', path, JSON.stringify(operations), { 'content-type': 'application/json-patch+json' });

beforeAll(async () => {
  world = await createWorld();
  const { userId, membershipId, email } = world.owner;
  owner = { projectId: world.projectId, userId, membershipId, email };
  const invited = await world.invite({ resourceType: 'Patient' });
  patient = {
    projectId: world.projectId,
    userId: invited.user.reference.slice(5),
    membershipId: invited.id,
    email: '',
  };
  await changeMember(patient, { accessPolicy: undefined, access: undefined, active: true });
  patientId = invited.profile.reference.slice('Patient/'.length);
  otherId = (await create({ resourceType: 'Patient' })).id;
  [lab, imaging, foreign] = await Promise.all([
    create(observation(patientId)),
    create(observation(patientId, IMAGING)),
    create(observation(otherId)),
  ]);
});
afterAll(stopRunner);

test('openid alone is everything that the membership may', async () => {
  const send = await as(patient, 'openid');
  expect((await send('GET', `Observation/${foreign.id}`)).status).toBe(200);
});

describe('patient/*.rs', () => {
  let send: Send;
  beforeAll(async () => {
    send = await as(patient, 'openid patient/*.rs');
  });

  test('reads, lists and remembers what is of the patient, and nothing of others', async () => {
    expect(idsOf(await send('GET', 'Observation'))).toEqual([lab.id, imaging.id].sort());
    expect((await send('GET', 'Observation?_total=accurate&_count=1')).body.total).toBe(2);
    for (const path of ['', '/_history', '/_history/1']) {
      expect((await send('GET', `Observation/${lab.id}${path}`)).status).toBe(200);
      expect((await send('GET', `Observation/${foreign.id}${path}`)).status).toBe(404);
    }
    expect(idsOf(await send('GET', 'Patient'))).toEqual([patientId]);
    expect((await send('GET', `Patient/${otherId}`)).status).toBe(404);
    expect(
      (await send('POST', 'Observation/_search', new URLSearchParams({ subject: `Patient/${otherId}` }))).body.entry ??
        [],
    ).toEqual([]);
  });

  test('in a Bundle, too', async () => {
    const asked = [
      ['GET', 'Observation', 200],
      ['GET', `Observation/${foreign.id}`, 404],
      ['GET', `Observation/${lab.id}`, 200],
      ['DELETE', `Observation/${lab.id}`, 403],
      ['GET', 'Bot', 403],
    ] as const;
    const entry = asked.map(([method, url]) => ({ request: { method, url } }));
    const { body } = await send('POST', '/fhir/R4', { resourceType: 'Bundle', type: 'batch', entry });
    expect(body.entry.map(({ response }: Body) => Number(response.status.slice(0, 3)))).toEqual(
      asked.map(([, , status]) => status),
    );
    expect(idsOf({ body: body.entry[0].resource } as Answer)).toEqual([lab.id, imaging.id].sort());
    for (const [at, [, , status]] of asked.entries()) {
      const one = { resourceType: 'Bundle', type: 'transaction', entry: [entry[at]] };
      expect((await send('POST', '/fhir/R4', one)).status).toBe(status);
    }
  });

  test('writes nothing, by any way', async () => {
    const made = await send('POST', 'Observation', observation(patientId));
    const ifNone = await send('POST', 'Observation', observation(patientId), { 'if-none-exist': 'status=final' });
    const answers = [
      made,
      ifNone,
      await send('PUT', `Observation/${lab.id}`, { ...lab, status: 'amended' }),
      await send('PUT', 'Observation?status=final', observation(patientId)),
      await patch(send, `Observation/${lab.id}`, [{ op: 'replace', path: '/status', value: 'amended' }]),
      await send('DELETE', `Observation/${lab.id}`),
      await send('POST', 'Observation/$validate', lab),
      await send('POST', 'Binary', 'x', { 'content-type': 'text/plain' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 403));
  });

  test('includes bring along what is of the patient only', async () => {
    const result = [{ reference: `Observation/${foreign.id}` }, { reference: `Observation/${lab.id}` }];
    const report = { resourceType: 'DiagnosticReport', status: 'final', code: { text: 'x' }, result };
    const { id } = await create({ ...report, subject: { reference: `Patient/${patientId}` } });
    const query = `DiagnosticReport?_id=${id}&_include=DiagnosticReport:result`;
    expect(idsOf(await send('GET', query))).toEqual([id, lab.id].sort());
    const whole = await as(patient, 'openid');
    expect(idsOf(await whole('GET', query))).toEqual([foreign.id, id, lab.id].sort());
    const mine = [patientId, lab.id, imaging.id].sort();
    expect(idsOf(await send('GET', 'Patient?_revinclude=Observation:subject'))).toEqual(mine);
  });

  test('one read is one round trip, for the scopes are judged once a login', async () => {
    await startInvalidation();
    try {
      await send('GET', `Observation/${lab.id}`);
      // Of the tests before: they are written a moment later.
      await flushRefusals();
      const texts: string[] = [];
      const stop = watchStatements((text) => texts.push(text));
      expect((await send('GET', `Observation/${lab.id}`)).status).toBe(200);
      expect((await send('GET', `Observation/${foreign.id}`)).status).toBe(404);
      stop();
      const aRead = expect.stringMatching(/^\s*select (?:\* from \(select )?[^(]*\sfrom resource/);
      expect(texts).toEqual([aRead, aRead]);
    } finally {
      await stopInvalidation();
    }
  });
});

test('a query leaves only what matches it', async () => {
  const send = await as(patient, 'patient/Observation.rs?category=urn:c|laboratory');
  expect(idsOf(await send('GET', 'Observation'))).toEqual([lab.id]);
  expect((await send('GET', `Observation/${imaging.id}`)).status).toBe(404);
  expect((await send('GET', `Patient/${patientId}`)).status).toBe(403);
});

test('.cud creates in the compartment, finds nothing there, and changes nothing that it cannot see', async () => {
  const send = await as(patient, 'patient/Observation.cud');
  const made = await send('POST', 'Observation', observation(patientId));
  expect([made.status, (await send('POST', 'Observation', observation(otherId))).status]).toEqual([201, 403]);
  const path = `Observation/${made.body.id}`;
  expect((await send('GET', path)).status).toBe(403);
  expect((await send('PUT', path, { ...made.body, status: 'amended' })).status).toBe(403);
  expect((await send('PUT', 'Observation?status=final', observation(patientId))).status).toBe(403);
  expect((await send('DELETE', path)).status).toBe(200);
});

test('.cruds moves nothing out of the compartment, and reaches nothing outside of it', async () => {
  const send = await as(patient, 'patient/Observation.cruds');
  const made = await send('POST', 'Observation', observation(patientId));
  const path = `Observation/${made.body.id}`;
  expect((await send('PUT', path, { ...made.body, status: 'amended' })).status).toBe(200);
  expect((await send('PUT', path, { ...made.body, subject: { reference: `Patient/${otherId}` } })).status).toBe(403);
  const away = [{ op: 'replace', path: '/subject/reference', value: `Patient/${otherId}` }];
  expect((await patch(send, path, away)).status).toBe(403);
  expect((await send('PUT', `Observation/${foreign.id}`, foreign)).status).toBe(404);
  await send('DELETE', `Observation/${foreign.id}`);
  expect((await callApi(world.owner.bearer, 'GET', `/fhir/R4/Observation/${foreign.id}`)).status).toBe(200);
  const once = await send('POST', 'Observation', observation(patientId), { 'if-none-exist': `_id=${foreign.id}` });
  expect(once.status).toBe(201);
});

test('raw bytes are a create as any other: not into a compartment that they are not of', async () => {
  const send = await as(patient, 'patient/Binary.cruds patient/*.cruds');
  expect((await send('POST', 'Binary', 'x', { 'content-type': 'text/plain' })).status).toBe(403);
  const user = await as(patient, 'user/Binary.c');
  expect((await user('POST', 'Binary', 'x', { 'content-type': 'text/plain' })).status).toBe(201);
});

test('the policy still limits: a scope widens nothing', async () => {
  const limited = await world.invite({ resourceType: 'Patient' });
  const them = { ...patient, userId: limited.user.reference.slice(5), membershipId: limited.id };
  const send = await as(them, 'user/*.cruds');
  expect((await send('GET', `Patient/${patientId}`)).status).toBe(404);
  expect((await send('POST', 'Patient', { resourceType: 'Patient' })).status).toBe(403);
});

describe('an administrator’s token with scopes for resources', () => {
  let send: Send;
  beforeAll(async () => {
    send = await as(owner, 'openid user/*.*');
  });

  test('reads and writes records, and administers nothing', async () => {
    expect((await send('GET', `Observation/${foreign.id}`)).status).toBe(200);
    const admin = `/admin/projects/${world.projectId}`;
    expect((await send('GET', admin)).status).toBe(403);
    expect(
      (await send('POST', `${admin}/invite`, { resourceType: 'Practitioner', firstName: 'A', lastName: 'B' })).status,
    ).toBe(403);
    expect((await send('POST', `User/${owner.userId}/$rescope`, { scope: 'global' })).status).toBe(403);
    expect((await send('GET', 'ProjectMembership')).status).toBe(403);
    expect((await send('POST', 'ClientApplication', { resourceType: 'ClientApplication', name: 'x' })).status).toBe(
      403,
    );
    expect(
      (await send('PATCH', `User/${owner.userId}`, '[]', { 'content-type': 'application/json-patch+json' })).status,
    ).toBe(403);
    expect((await send('GET', `User/${owner.userId}`)).status).toBe(403);
  });

  test('acts on behalf of nobody', async () => {
    const reference = `ProjectMembership/${patient.membershipId}`;
    expect((await send('GET', 'Observation', undefined, { 'x-medplum-on-behalf-of': reference })).status).toBe(401);
  });

  test('has nothing to do with the account', async () => {
    const answers = [
      await send('GET', '/auth/memberships'),
      await send('POST', '/auth/switch', {
        membership: owner.membershipId,
        codeChallenge: 'p'.repeat(43),
        codeChallengeMethod: 'plain',
      }),
      await send('POST', '/auth/changepassword', { oldPassword: 'Violet-Hammock-41', newPassword: 'Quiet-Lantern-77' }),
      await send('POST', '/auth/revoke', { loginId: owner.userId }),
      await send('POST', '/auth/revoke/others', {}),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403]);
    expect((await send('POST', '/oauth2/logout', {})).status).toBe(200);
    expect((await send('GET', 'Observation')).status).toBe(401);
  });

  test('/auth/me tells what is left, and neither sessions nor a profile out of its reach', async () => {
    const narrow = await as(owner, 'openid user/Observation.rs');
    const { body } = await narrow('GET', '/auth/me');
    expect([body.membership.admin, body.security]).toEqual([false, undefined]);
    expect(body.accessPolicy.resource).toEqual([
      { resourceType: 'Observation', interaction: ['read', 'vread', 'history', 'search'] },
    ]);
    expect(Object.keys(body.profile).sort()).toEqual(['id', 'resourceType']);
    const whole = await (await as(owner, 'openid user/*.rs'))('GET', '/auth/me');
    expect(whole.body.profile.name).toBeTruthy();
  });
});

describe('bots', () => {
  const WHO = `export async function handler(medplum: any) {
    return (await medplum.searchResources('Observation', {})).map((found: any) => found.id).sort();
  }`;

  test('run with the rights of the token when they run as the caller, and only for a token that may see them', async () => {
    const bot = await deployedBot(world, WHO, {});
    await callApi(world.owner.bearer, 'PATCH', `/fhir/R4/Bot/${bot}`, {
      body: JSON.stringify([{ op: 'add', path: '/runAsUser', value: true }]),
      headers: { 'content-type': 'application/json-patch+json' },
    });
    const run = async (who: Owner, scope: string) => {
      const send = await as(who, scope);
      return send('POST', `Bot/${bot}/$execute`, '{}', { 'content-type': 'application/json' });
    };
    const narrowed = await run(patient, 'patient/Observation.rs?category=urn:c|imaging user/Bot.r');
    expect([narrowed.status, narrowed.body]).toEqual([200, [imaging.id]]);
    expect((await run(patient, 'user/*.cruds')).status).toBe(403);
    expect((await run(patient, 'user/*.cruds patient/Bot.rs')).status).toBe(404);
  });
});
