import { Hl7Message, type MedplumClient, OperationOutcomeError } from '@medplum/core';
import type { Bundle } from 'fhir/r4';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scan } from '../devices/authenticator.ts';
import { makeClient, makePeerProject, type PeerProject } from './peer-project.ts';
import { type PeerApi, startApi } from './start-api.ts';

/** The peer's published client, unmodified, against the API in its own process (contract §1.1, §1.7). */
let api: PeerApi;
let project: PeerProject;
let client: MedplumClient;

beforeAll(async () => {
  api = await startApi();
  project = await makePeerProject(api.baseUrl);
  client = makeClient(api.baseUrl);
  await client.startClientLogin(project.clientId, project.clientSecret);
}, 60_000);
afterAll(() => api?.stop());

describe('records', () => {
  it('everything of a patient, and searches over references', async () => {
    const practitioner = await client.createResource({ resourceType: 'Practitioner', name: [{ family: 'Grey' }] });
    const generalPractitioner = [{ reference: `Practitioner/${practitioner.id}` }];
    const patient = await client.createResource({ resourceType: 'Patient', generalPractitioner });
    const subject = { reference: `Patient/${patient.id}` };
    const code = { text: 'x' };
    const observation = await client.createResource({ resourceType: 'Observation', status: 'final', code, subject });
    const { entry = [] } = await client.readPatientEverything(patient.id!);
    const ids = entry.map(({ resource }: { resource?: { id?: string } }) => resource?.id).sort();
    expect(ids).toEqual([practitioner.id, patient.id, observation.id].sort());
    const chained = await client.searchResources('Observation', 'patient.general-practitioner:Practitioner.name=grey');
    expect(chained.map(({ id }) => id)).toEqual([observation.id]);
    const [found] = await client.searchResources('Patient', `_has:Observation:patient:_id=${observation.id}`);
    expect(found?.id).toBe(patient.id);
  });
});

describe('an export', () => {
  it('bulkExport polls until it is whole, and what it names is downloaded', async () => {
    const { id } = await client.createResource({ resourceType: 'Basic', code: { text: 'exported' } });
    const options = { pollStatusOnAccepted: true, pollStatusPeriod: 20 };
    const { requiresAccessToken, output = [] } = await client.bulkExport('', 'Basic', undefined, options);
    expect([requiresAccessToken, output.map(({ type }: { type: string }) => type)]).toEqual([false, ['Basic']]);
    const lines = (await (await client.download(output[0]!.url)).text()).trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).id)).toEqual([id]);
    const later = await client.bulkExport('', 'Basic', new Date(Date.now() + 60_000).toISOString(), options);
    expect(later.output).toEqual([]);
  });
});

describe('pages and histories', () => {
  it('searchResourcePages goes over all of them, readResourceGraph says that there is none', async () => {
    const family = 'Pager';
    for (let at = 0; at < 5; at += 1) await client.createResource({ resourceType: 'Patient', name: [{ family }] });
    const sizes: number[] = [];
    for await (const page of client.searchResourcePages('Patient', { family, _count: 2 })) sizes.push(page.length);
    expect(sizes).toEqual([2, 2, 1]);
    expect(await client.searchOne('Patient', { family, _sort: '-_lastUpdated' })).toMatchObject({ name: [{ family }] });
    await expect(client.readResourceGraph('Patient', 'none', 'none')).rejects.toBeInstanceOf(OperationOutcomeError);
  });

  it('of $everything the next page is a link that the client follows', async () => {
    const patient = await client.createResource({ resourceType: 'Patient' });
    const subject = { reference: `Patient/${patient.id}` };
    for (const text of ['a', 'b']) {
      await client.createResource({ resourceType: 'Observation', status: 'final', code: { text }, subject });
    }
    let url: string | undefined = `${client.fhirUrl('Patient', patient.id!, '$everything')}?_count=1`;
    const types: string[] = [];
    while (url) {
      const page: Bundle = await client.get(url);
      types.push(...(page.entry ?? []).map(({ resource }) => resource!.resourceType));
      url = page.link?.find(({ relation }) => relation === 'next')?.url;
    }
    expect(types.sort()).toEqual(['Observation', 'Observation', 'Patient']);
  });

  it('a history is read version by version, and what is gone stands in it', async () => {
    const made = await client.createResource({ resourceType: 'Patient' });
    await client.patchResource('Patient', made.id, [{ op: 'add', path: '/active', value: true }]);
    await client.deleteResource('Patient', made.id);
    const history: Bundle = await client.readHistory('Patient', made.id);
    expect(history.entry?.map(({ request }) => request?.method)).toEqual(['DELETE', 'PUT', 'POST']);
    expect(await client.readVersion('Patient', made.id, '2')).toMatchObject({ active: true });
    await expect(client.readVersion('Patient', made.id, '3')).rejects.toBeInstanceOf(OperationOutcomeError);
    const all: Bundle = await client.get(`${client.fhirUrl('Patient', '_history')}?_count=2`);
    expect(all.entry?.map(({ request }) => request?.method)).toEqual(['DELETE', 'PUT']);
    const { id } = await client.createResource({ resourceType: 'Patient' });
    expect(await client.readReference({ reference: `Patient/${id}` })).toMatchObject({ id });
  });
});

describe('signing in', () => {
  it('as a person, with a password and PKCE: profile, project and rights are known', async () => {
    const medplum = makeClient(api.baseUrl);
    const { code } = await medplum.startLogin({ email: project.email, password: project.password, remember: false });
    const profile = await medplum.processCode(code!);
    expect(profile).toMatchObject({ resourceType: 'Practitioner', name: [{ given: ['Olga'], family: 'Owner' }] });
    expect(medplum.getProject()).toMatchObject({ id: project.projectId });
    expect(medplum.isProjectAdmin()).toBe(true);
    expect(medplum.isSuperAdmin()).toBe(false);
    expect(medplum.getAccessPolicy()).toMatchObject({ resourceType: 'AccessPolicy' });
    expect(medplum.getActiveLogin()).toMatchObject({
      project: { reference: `Project/${project.projectId}`, display: expect.any(String) },
      profile: { display: 'Olga Owner' },
    });
  });

  it('as a person with a second factor: enrolled with the session, proven at the next sign-in', async () => {
    const { email, password } = await makePeerProject(api.baseUrl);
    const start = async () => {
      const medplum = makeClient(api.baseUrl);
      return { medplum, login: await medplum.startLogin({ email, password, remember: false }) };
    };
    const first = await start();
    await first.medplum.processCode(first.login.code!);
    const { enrollUri } = await first.medplum.get('auth/mfa/status');
    const phone = scan(enrollUri);
    await first.medplum.post('auth/mfa/enroll', { token: phone.next() });
    const { medplum, login } = await start();
    expect(login).toMatchObject({ mfaRequired: true });
    expect(login.code).toBeUndefined();
    await expect(medplum.post('auth/mfa/verify', { login: login.login, token: phone.wrong() })).rejects.toThrow();
    const proven = await medplum.post('auth/mfa/verify', { login: login.login, token: phone.next() });
    expect(await medplum.processCode(proven.code)).toMatchObject({ resourceType: 'Practitioner' });
  });

  it('as a person, with the wrong password: refused with an outcome', async () => {
    const attempt = makeClient(api.baseUrl).startLogin({ email: project.email, password: 'not-the-password' });
    await expect(attempt).rejects.toBeInstanceOf(OperationOutcomeError);
  });

  it('with `remember`, the token is refreshed, and the old refresh token is spent', async () => {
    const medplum = makeClient(api.baseUrl);
    const { code } = await medplum.startLogin({ email: project.email, password: project.password, remember: true });
    await medplum.processCode(code!);
    const { refreshToken, accessToken } = medplum.getActiveLogin()!;
    expect(refreshToken).toBeTruthy();
    await medplum.refreshIfExpired(10_000_000);
    expect(medplum.getActiveLogin()!.refreshToken).not.toBe(refreshToken);
    expect(medplum.getAccessToken()).not.toBe(accessToken);
    expect(await medplum.getProfileAsync()).toMatchObject({ resourceType: 'Practitioner' });
  });

  it('as a client: its profile is the ClientApplication', async () => {
    expect(client.getProfile()).toMatchObject({ resourceType: 'ClientApplication', id: project.clientId });
    expect(await client.getProfileAsync()).toMatchObject({ id: project.clientId });
  });

  it('as a client, with the wrong secret: refused', async () => {
    await expect(makeClient(api.baseUrl).startClientLogin(project.clientId, 'wrong')).rejects.toBeInstanceOf(Error);
  });

  it('as a client with Basic credentials, without a token', async () => {
    const medplum = makeClient(api.baseUrl);
    medplum.setBasicAuth(project.clientId, project.clientSecret);
    expect((await medplum.searchResources('ProjectMembership', '_count=1')).length).toBe(1);
  });

  it('out again: the token is worth nothing', async () => {
    const medplum = makeClient(api.baseUrl);
    await medplum.startClientLogin(project.clientId, project.clientSecret);
    const accessToken = medplum.getAccessToken()!;
    await medplum.signOut();
    const stale = makeClient(api.baseUrl);
    stale.setAccessToken(accessToken);
    await expect(stale.search('Patient')).rejects.toBeInstanceOf(OperationOutcomeError);
  });
});

describe('resources', () => {
  it('are created, read, updated, patched, listed with their history and deleted', async () => {
    const made = await client.createResource({ resourceType: 'Patient', name: [{ family: 'Doe', given: ['Jane'] }] });
    expect(made).toMatchObject({ id: expect.any(String), meta: { versionId: '1' } });
    expect(await client.readResource('Patient', made.id)).toEqual(made);
    const updated = await client.updateResource({ ...made, birthDate: '1980-01-01' });
    expect(updated).toMatchObject({ meta: { versionId: '2' } });
    expect(await client.updateResource(updated)).toMatchObject({ meta: { versionId: '2' } });
    const patched = await client.patchResource('Patient', made.id, [{ op: 'add', path: '/gender', value: 'female' }]);
    expect(patched).toMatchObject({ gender: 'female', birthDate: '1980-01-01' });
    expect((await client.readHistory('Patient', made.id)).entry).toHaveLength(3);
    expect(await client.readVersion('Patient', made.id, '1')).toMatchObject({ meta: { versionId: '1' } });
    await client.deleteResource('Patient', made.id);
    await expect(client.readResource('Patient', made.id)).rejects.toMatchObject({ outcome: { id: 'gone' } });
  });

  it('that are not there reject with an outcome the client knows', async () => {
    const missing = client.readResource('Patient', '00000000-0000-4000-8000-000000000000');
    await expect(missing).rejects.toMatchObject({ outcome: { id: 'not-found' } });
  });

  it('are made once with createResourceIfNoneExist and upsertResource', async () => {
    const patient = { resourceType: 'Patient', identifier: [{ system: 'urn:peer', value: 'once' }] } as const;
    const query = 'identifier=urn:peer|once';
    const first = await client.createResourceIfNoneExist(patient, query);
    expect((await client.createResourceIfNoneExist(patient, query)).id).toBe(first.id);
    const changed = await client.upsertResource({ ...patient, active: true }, query);
    expect(changed).toMatchObject({ id: first.id, active: true });
  });

  it('show project and author in meta, since the client asks for extended', async () => {
    const made = await client.createResource({ resourceType: 'Patient' });
    const meta = { project: project.projectId, author: { reference: expect.any(String) } };
    expect(made).toMatchObject({ meta });
  });

  it('are validated, and a wrong one names the element', async () => {
    const wrong = client.createResource({ resourceType: 'Patient', gender: 'nobody' } as never);
    await expect(wrong).rejects.toMatchObject({ outcome: { issue: [{ expression: ['Patient.gender'] }] } });
    expect(await client.validateResource({ resourceType: 'Patient' })).toMatchObject({
      resourceType: 'OperationOutcome',
    });
  });

  it('hold binaries with a url that the client downloads', async () => {
    const binary = await client.createBinary({ data: 'Grüße', filename: 'a.txt', contentType: 'text/plain' });
    expect(binary).toMatchObject({
      resourceType: 'Binary',
      contentType: 'text/plain',
      url: expect.stringMatching(/./),
    });
    expect(await (await client.download(binary.url!)).text()).toBe('Grüße');
  });
});

describe('members', () => {
  it('are invited, found by profile type, promoted and removed', async () => {
    const invite = { firstName: 'Ida', lastName: 'Invited', email: 'ida@peer.example', sendEmail: false } as const;
    const member = await client.invite(project.projectId, { resourceType: 'Practitioner', ...invite });
    expect(member).toMatchObject({
      resourceType: 'ProjectMembership',
      profile: { reference: expect.stringMatching(/^Practitioner\//), display: 'Ida Invited' },
    });
    await client.invite(project.projectId, { resourceType: 'Patient', ...invite, email: 'pat@peer.example' });
    const found = await client.searchResources('ProjectMembership', 'profile-type=Patient');
    expect(found.map((row: { profile: { display: string } }) => row.profile.display)).toEqual(['Ida Invited']);
    const others = await client.search('ProjectMembership', {
      'profile-type:not': 'Patient,ClientApplication',
      _total: 'accurate',
    });
    expect(others.total).toBe(2);
    const path = `admin/projects/${project.projectId}/members/${member.id}`;
    expect(await client.patch(path, [{ op: 'replace', path: '/admin', value: true }])).toMatchObject({ admin: true });
    expect(await client.post(path, { ...(await client.get(path)), admin: false })).toMatchObject({ admin: false });
    expect(await client.delete(path)).toMatchObject({ id: 'ok' });
    await expect(client.get(path)).rejects.toMatchObject({ outcome: { id: 'gone' } });
  });

  it('are not invited twice, nor with half the fields: every missing one is named', async () => {
    const half = client.invite(project.projectId, { resourceType: 'Practitioner' } as never);
    const expressions = [['firstName'], ['lastName'], ['email']];
    await expect(half).rejects.toMatchObject({
      outcome: { issue: expressions.map((expression) => expect.objectContaining({ expression })) },
    });
    const person = { resourceType: 'Practitioner', firstName: 'T', lastName: 'W', email: 't@peer.example' } as const;
    await client.invite(project.projectId, { ...person, sendEmail: false });
    await expect(client.invite(project.projectId, person)).rejects.toMatchObject({ outcome: { id: 'conflict' } });
  });
});

describe('bots', () => {
  const HL7 = 'MSH|^~\\&|A|B|C|D|20260101||ADT^A01|1|P|2.5\rPID|1||123||Doe^Jane\r';
  const CODE = `exports.handler = async (medplum, event) => {
    if (event.contentType.startsWith('x-application/hl7')) return event.input.getSegment('PID').getField(5).getComponent(1);
    if (event.input?.throw) throw new Error('broken on purpose');
    return event.input;
  };`;
  const identifier = { system: 'urn:peer:bots', value: 'echo' };
  let botId: string;

  beforeAll(async () => {
    const bot = await client.post(`admin/projects/${project.projectId}/bot`, { name: 'Echo', description: '' });
    botId = bot.id;
    await client.updateResource({ ...bot, identifier: [identifier] });
    const deployed = await client.post(client.fhirUrl('Bot', botId, '$deploy'), { code: CODE, filename: 'echo.js' });
    expect(deployed).toMatchObject({ issue: [{ details: { text: 'All OK' } }] });
  });

  it.each([
    ['text', 'hello', 'text/plain', 'hello'],
    ['JSON', { a: [1] }, 'application/json', { a: [1] }],
    ['a form', 'a=1&b=two', 'application/x-www-form-urlencoded', { a: '1', b: 'two' }],
    [
      'a resource',
      { resourceType: 'Patient', name: [] },
      'application/fhir+json',
      { resourceType: 'Patient', name: [] },
    ],
    ['HL7 v2', HL7, 'x-application/hl7-v2+er7', 'Doe'],
  ])('take %s by id and by identifier', async (_, input, contentType, output) => {
    expect(await client.executeBot(botId, input, contentType)).toEqual(output);
    expect(await client.executeBot(identifier, input, contentType)).toEqual(output);
  });

  it('take an HL7 message object of the client', async () => {
    const message = Hl7Message.parse(HL7);
    expect(await client.executeBot(botId, message.toString(), 'x-application/hl7-v2+er7')).toBe('Doe');
  });

  it('that throw are run once: the client repeats what is 5xx', async () => {
    await expect(client.executeBot(botId, { throw: true })).rejects.toMatchObject({
      outcome: { issue: [{ details: { text: expect.stringContaining('broken on purpose') } }] },
    });
  });

  it('that are not there are not found', async () => {
    await expect(client.executeBot({ system: 'urn:peer:bots', value: 'no' }, {})).rejects.toMatchObject({
      outcome: { id: 'not-found' },
    });
  });
});
