import { readFile } from 'node:fs/promises';
import { decodeJwt } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { appLaunch } from '#lib/infra/db/schema/grants.ts';
import { auditOf } from '#lib/testing/accounts.ts';
import { ask, authorizeWith, CALLBACK, makeApp } from '#lib/testing/app.ts';
import { type Browser, openBrowser, sentTo } from '#lib/testing/browser.ts';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { callAuth } from '#lib/testing/call-auth.ts';
import { PKCE } from '#lib/testing/devices/passkeys.ts';
import { enrollTotp } from '#lib/testing/factors.ts';
import {
  changeMember,
  makeOwner,
  type Owner,
  PASSWORD,
  redeem,
  refresh,
  signIn,
  type TestClient,
} from '#lib/testing/people.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createWorld, type World } from '#lib/testing/world.ts';

/** SMART App Launch 2.2: an app that another system opens about a patient (EHR launch), or for which the person chooses one (standalone). */
const LAUNCH_URI = 'https://app.example.com/launch';
const FHIR = 'http://localhost:3999/fhir/R4';
let world: World;
let owner: Owner;
let browser: Browser;
let app: TestClient;
let ada: string;
let bob: string;
let visit: string;

beforeAll(async () => {
  world = await createWorld();
  const { userId, membershipId, email } = world.owner;
  owner = { projectId: world.projectId, userId, membershipId, email };
  browser = await openBrowser(owner);
  app = await makeApp(owner, { launchUri: `${LAUNCH_URI}?kept=1` });
  const named = (given: string, birthDate: string) =>
    create({
      resourceType: 'Patient',
      name: [{ given: [given], family: 'Lovelace' }],
      birthDate,
      identifier: [{ system: 'urn:mrn', value: `M-${given},1` }],
    });
  [ada, bob] = await Promise.all([named('Ada', '1815-12-10'), named('Bob', '1999-01-02')]);
  visit = await create({
    resourceType: 'Encounter',
    status: 'finished',
    class: { code: 'AMB' },
    subject: { reference: `Patient/${ada}` },
  });
});

async function create(body: object): Promise<string> {
  const { resourceType } = body as { resourceType: string };
  const answer = await callApi(world.owner.bearer, 'POST', `/fhir/R4/${resourceType}`, { body });
  expect(answer.status, answer.text).toBe(201);
  return answer.body.id;
}

/** A further member, who reaches what the rules of a policy say. */
async function makeMember(rules: object[]): Promise<Owner> {
  const policy = await create({ resourceType: 'AccessPolicy', name: 'Some', resource: rules });
  const invited = await world.invite({ resourceType: 'Practitioner' });
  const member = { projectId: owner.projectId, userId: invited.user.reference.slice(5), membershipId: invited.id };
  await changeMember(member, {
    accessPolicy: { reference: `AccessPolicy/${policy}` },
    access: undefined,
    active: true,
  });
  return { ...member, email: '' };
}

const answerOf = (url: URL) => Object.fromEntries(url.searchParams);

async function tokensOf(url: URL, verifier: string, client = app) {
  const code = url.searchParams.get('code');
  expect(code, url.href).toBeTruthy();
  const given = { code: code!, client_id: client.id, redirect_uri: CALLBACK, code_verifier: verifier };
  const answer = await redeem(given);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

const launchOf = (more: object = {}, who = browser) =>
  who.send('POST', '/auth/launch', { clientId: app.id, patient: ada, ...more });

test('the example of docs/apps.md works', async () => {
  const page = await readFile(`${import.meta.dirname}/../../../docs/apps.md`, 'utf8');
  const [, text = ''] = /POST \/auth\/launch`\n```json\n(.+?)\n```/s.exec(page) ?? [];
  const given = { CLIENT: app.id, PATIENT: ada, ENCOUNTER: visit };
  const body = JSON.parse(text.replace(/CLIENT|PATIENT|ENCOUNTER/g, (name) => given[name as keyof typeof given]));
  expect((await browser.send('POST', '/auth/launch', body)).status).toBe(201);
});

test('about whom an app may be opened: those whom the caller may find and read, and for a person alone', async () => {
  const find = (body: object) => browser.send('POST', '/auth/launch/patients', body);
  const found = await find({ name: 'Love' });
  expect(found.body.patients.map(({ id }: { id: string }) => id).sort()).toEqual([ada, bob].sort());
  expect((await find({ identifier: 'M-Ada,1' })).body.patients).toMatchObject([{ id: ada, birthDate: '1815-12-10' }]);
  expectOutcome(await find({ birthDate: 'then' }), 400, 'birthDate');
  expectOutcome(await find({ patient: ada }), 400);
  expectOutcome(await callApi(app.basic, 'POST', '/auth/launch/patients', { body: {} }), 403);
  const other = await makeOwner();
  const theirs = await (await openBrowser(other)).send('POST', '/auth/launch/patients', { name: 'Love' });
  expect(theirs.body.patients).toEqual([]);
});

describe('an EHR launch', () => {
  const SCOPE = 'openid fhirUser launch offline_access patient/*.rs';

  test('brings the app to the patient: told with the tokens, by introspection and after a refresh, and no record of another', async () => {
    const launched = await launchOf({ encounter: visit, needPatientBanner: false });
    expect(launched.status, launched.text).toBe(201);
    const address = new URL(launched.body.location);
    expect(`${address.origin}${address.pathname}`).toBe(LAUNCH_URI);
    expect(answerOf(address)).toEqual({ kept: '1', iss: FHIR, launch: launched.body.launch });
    expect(Date.parse(launched.body.expiresAt)).toBeGreaterThan(Date.now());
    expect(await auditOf(owner.projectId, `ClientApplication/${app.id}`)).toContain('client.launch');

    const asked = ask(app, { scope: SCOPE, launch: launched.body.launch, aud: FHIR });
    const page = sentTo(await browser.open(asked.path));
    const { body: shown } = await browser.send('GET', `/auth/authorization${page.search}`);
    expect([shown.openedAbout, shown.choosesPatient]).toEqual(['Ada Lovelace', undefined]);
    const tokens = await tokensOf(await authorizeWith(browser, asked), asked.verifier);
    const context = {
      scope: SCOPE,
      patient: ada,
      encounter: visit,
      need_patient_banner: false,
      smart_style_url: 'http://localhost:3999/.well-known/smart-style.json',
    };
    expect(tokens).toMatchObject(context);
    expect(decodeJwt(tokens.id_token)).toMatchObject({ fhirUser: expect.stringMatching(/^Practitioner\//) });
    const again = await refresh(tokens.refresh_token, { client_id: app.id });
    expect(again.body).toMatchObject(context);
    for (const token of [tokens.access_token, again.body.access_token]) {
      const body = new URLSearchParams({ token, client_id: app.id, client_secret: app.secret });
      expect((await callAuth('POST', '/oauth2/introspect', { body })).body).toMatchObject({
        active: true,
        patient: ada,
      });
      const read = (path: string) => callApi(`Bearer ${token}`, 'GET', `/fhir/R4/${path}`);
      expect((await read(`Patient/${ada}`)).status).toBe(200);
      expect((await read(`Patient/${bob}`)).status).toBe(404);
      expect((await read(`Encounter/${visit}`)).status).toBe(200);
      const found = await read('Patient');
      expect(found.body.entry.map(({ resource }: { resource: { id: string } }) => resource.id)).toEqual([ada]);
    }
  });

  test('is good once: of two at the same moment one has the code, and later nobody', async () => {
    const granted = ask(app, { scope: 'openid launch' });
    const { body: first } = await launchOf();
    await authorizeWith(browser, { ...granted, path: ask(app, { scope: 'openid launch', launch: first.launch }).path });
    const { body } = await launchOf();
    const { path } = ask(app, { scope: 'openid launch', launch: body.launch });
    const all = await Promise.all(Array.from({ length: 10 }, async () => answerOf(sentTo(await browser.open(path)))));
    expect(all.filter(({ code }) => code)).toHaveLength(1);
    expect(all.filter(({ error }) => error === 'invalid_request')).toHaveLength(9);
    expect(answerOf(sentTo(await browser.open(path)))).toMatchObject({ error: 'invalid_request', state: 's-1' });
  });

  test('is for that app and that person alone, and for fifteen minutes', async () => {
    const { body } = await launchOf();
    const other = await makeApp(owner);
    const by = (client: TestClient) => ask(client, { scope: 'openid launch', launch: body.launch }).path;
    expect(answerOf(sentTo(await browser.open(by(other)))).error).toBe('invalid_request');
    const colleague = await openBrowser(await makeMember([{ resourceType: 'Patient' }]));
    expect(answerOf(sentTo(await colleague.open(by(app)))).error).toBe('invalid_request');
    await db()
      .update(appLaunch)
      .set({ expiresAt: new Date(Date.now() - 1000) });
    expect(answerOf(sentTo(await browser.open(by(app)))).error).toBe('invalid_request');
    for (const launch of ['x', `${owner.projectId}.x`, '\u0000', 'x'.repeat(2000), `${newId()}.x`]) {
      const { path } = ask(app, { scope: 'openid launch', launch });
      expect(answerOf(sentTo(await browser.open(path))).error, launch).toBe('invalid_request');
    }
  });

  test('without the scope `launch` nothing is told, nor is the launch spent; the scope without a launch is not granted', async () => {
    const { body } = await launchOf();
    const without = ask(app, { scope: 'openid', launch: body.launch });
    const tokens = await tokensOf(await authorizeWith(browser, without), without.verifier);
    expect([tokens.patient, tokens.need_patient_banner]).toEqual([undefined, undefined]);
    const unlaunched = ask(app, { scope: 'openid launch' });
    const plain = await tokensOf(await authorizeWith(browser, unlaunched), unlaunched.verifier);
    expect([plain.patient, plain.scope]).toEqual([undefined, 'openid']);
    const asked = ask(app, { scope: 'openid launch', launch: body.launch });
    expect((await tokensOf(await authorizeWith(browser, asked), asked.verifier)).patient).toBe(ada);
  });

  test('is opened for a person, of their own project, about what they may read', async () => {
    const issue = ({ status, body }: Awaited<ReturnType<typeof launchOf>>) => [
      status,
      body.issue?.[0]?.expression?.[0],
    ];
    const noUri = await makeApp(owner);
    expect(issue(await launchOf({ clientId: noUri.id }))).toEqual([400, 'clientId']);
    expect(issue(await launchOf({ clientId: newId() }))).toEqual([404, 'clientId']);
    const elsewhere = await makeApp(await makeOwner(), { launchUri: LAUNCH_URI });
    expect(issue(await launchOf({ clientId: elsewhere.id }))).toEqual([404, 'clientId']);
    expect(issue(await launchOf({ patient: newId() }))).toEqual([400, 'patient']);
    expect(issue(await launchOf({ patient: 'x\u0000' }))[0]).toBe(400);
    expect(issue(await launchOf({ patient: bob, encounter: visit }))).toEqual([400, 'encounter']);
    expect(issue(await launchOf({ encounter: newId() }))).toEqual([400, 'encounter']);
    expect(issue(await launchOf({ nope: 1 }))[0]).toBe(400);
    const limited = await openBrowser(await makeMember([{ resourceType: 'Patient', criteria: `Patient?_id=${ada}` }]));
    expect(issue(await launchOf({ patient: bob }, limited))).toEqual([400, 'patient']);
    expect(issue(await launchOf({ encounter: visit }, limited))).toEqual([400, 'encounter']);
    expect(issue(await launchOf({}, limited))[0]).toBe(201);
    const program = await callApi(app.basic, 'POST', '/auth/launch', { body: { clientId: app.id, patient: ada } });
    expect(program.status).toBe(403);
    const { access } = await signIn(owner, { scope: 'openid user/Observation.rs' });
    const narrowed = await callAuth('POST', '/auth/launch', {
      token: access,
      body: { clientId: app.id, patient: ada },
    });
    expect(narrowed.status).toBe(400);
  });

  test('gives the app no more than its person may', async () => {
    const member = await makeMember([{ resourceType: 'Patient', readonly: true }]);
    const theirs = await openBrowser(member);
    const { body } = await launchOf({}, theirs);
    const asked = ask(app, { scope: 'openid launch patient/*.cruds', launch: body.launch });
    const tokens = await tokensOf(await authorizeWith(theirs, asked), asked.verifier);
    const bearer = `Bearer ${tokens.access_token}`;
    expect((await callApi(bearer, 'GET', `/fhir/R4/Patient/${ada}`)).status).toBe(200);
    expect((await callApi(bearer, 'GET', `/fhir/R4/Patient/${bob}`)).status).toBe(404);
    expect((await callApi(bearer, 'GET', `/fhir/R4/Encounter/${visit}`)).status).toBe(403);
    await changeMember(member, { accessPolicy: undefined, access: undefined });
    expect((await callApi(bearer, 'GET', `/fhir/R4/Patient/${bob}`)).status).toBe(404);
  });

  test('may be brought by a sign-in page of the app’s own, to /auth/login (contract §1.5)', async () => {
    const person = await makeOwner();
    const [client, other] = [await makeApp(person, { launchUri: LAUNCH_URI }), await makeApp(person)];
    const { access } = await signIn(person);
    const body = { resourceType: 'Patient' };
    const patient = (await callApi(`Bearer ${access}`, 'POST', '/fhir/R4/Patient', { body })).body.id;
    const opened = await callAuth('POST', '/auth/launch', { token: access, body: { clientId: client.id, patient } });
    const scope = 'openid launch patient/*.rs';
    const fields = { email: person.email, password: PASSWORD, clientId: client.id, scope, ...PKCE };
    const enter = (launch: string, change: object = {}) =>
      callAuth('POST', '/auth/login', { body: { ...fields, launch, ...change } });
    for (const [launch, change] of [[opened.body.launch, { clientId: other.id }], ['x'], ['x\u0000']]) {
      const wrong = await enter(launch, change);
      expect([wrong.status, wrong.body.issue[0].expression]).toEqual([400, ['launch']]);
    }
    const { code } = (await enter(opened.body.launch)).body;
    const tokens = await redeem({ code, client_id: client.id, code_verifier: 'c'.repeat(43) });
    expect(tokens.body).toMatchObject({ patient, scope, need_patient_banner: true });
    expect((await enter(opened.body.launch)).status).toBe(400);
  });

  test('may be sent beforehand (PAR)', async () => {
    const { body } = await launchOf();
    const asked = ask(app, { scope: 'openid launch', launch: body.launch });
    const pushed = await callAuth('POST', '/oauth2/par', { body: new URLSearchParams(asked.query) });
    const query = new URLSearchParams({ client_id: app.id, request_uri: pushed.body.request_uri });
    const given = await authorizeWith(browser, { ...asked, path: `/oauth2/authorize?${query}` });
    expect((await tokensOf(given, asked.verifier)).patient).toBe(ada);
  });
});

describe('a standalone launch by who is no patient', () => {
  const SCOPE = 'openid launch/patient offline_access patient/Patient.rs patient/Encounter.rs';
  const find = (page: URL, filter: object = {}, who = browser) =>
    who.send('POST', '/auth/authorization/patients', { request: page.search.slice(1), ...filter });
  const allowWith = (page: URL, more: object, who = browser) =>
    who.send('POST', '/auth/authorization', { request: page.search.slice(1), decision: 'allow', ...more });
  const idsOf = ({ body }: Awaited<ReturnType<typeof find>>) => body.patients.map(({ id }: { id: string }) => id);

  test('asks for the patient before the code, also of who has said yes before, and the app has that one', async () => {
    const fresh = await makeApp(owner);
    for (const [at, patient] of [ada, bob].entries()) {
      const asked = ask(fresh, { scope: SCOPE });
      const page = sentTo(await browser.open(asked.path));
      expect(page.pathname).toBe('/consent');
      const { body: shown } = await browser.send('GET', `/auth/authorization${page.search}`);
      expect([shown.choosesPatient, shown.agreed]).toEqual([true, at === 0 ? undefined : true]);
      const unsaid = await allowWith(page, {});
      expect([unsaid.status, unsaid.body.issue[0].expression]).toEqual([400, ['patient']]);
      const given = await allowWith(page, { patient });
      expect(given.status, given.text).toBe(200);
      const tokens = await tokensOf(new URL(given.body.location), asked.verifier, fresh);
      expect(tokens).toMatchObject({ patient, scope: SCOPE, need_patient_banner: true });
      const again = await refresh(tokens.refresh_token, { client_id: fresh.id });
      expect(again.body).toMatchObject({ patient, scope: SCOPE });
      const read = await callApi(`Bearer ${again.body.access_token}`, 'GET', '/fhir/R4/Patient');
      expect(read.body.entry.map(({ resource }: { resource: { id: string } }) => resource.id)).toEqual([patient]);
    }
    const silent = answerOf(sentTo(await browser.open(ask(fresh, { scope: SCOPE, prompt: 'none' }).path)));
    expect(silent.error).toBe('interaction_required');
  });

  test('is found by name, day of birth and identifier, twenty at a time', async () => {
    const page = sentTo(await browser.open(ask(app, { scope: SCOPE }).path));
    expect(idsOf(await find(page, { name: ' lovel  ada ' }))).toEqual([ada]);
    expect((await find(page, { name: 'Lovelace' })).body).toEqual({
      patients: expect.arrayContaining([
        { id: ada, name: 'Ada Lovelace', birthDate: '1815-12-10', identifiers: ['M-Ada,1'] },
      ]),
      more: false,
    });
    expect(idsOf(await find(page, { birthDate: '1999-01-02' }))).toEqual([bob]);
    expect(idsOf(await find(page, { identifier: 'M-Bob,1' }))).toEqual([bob]);
    expect(idsOf(await find(page, { name: 'a|b,$\\' }))).toEqual([]);
    for (const wrong of [{ birthDate: '0000-13-01' }, { name: 'x'.repeat(101) }, { name: 'x\u0000' }]) {
      expect((await find(page, wrong)).status).toBe(400);
    }
    for (const odd of [{ birthDate: '0001-01-01' }, { birthDate: '9999-12-31' }, { identifier: '|' }]) {
      expect((await find(page, odd)).status).toBe(200);
    }
    const lots = Array.from({ length: 21 }, () => create({ resourceType: 'Patient', name: [{ family: 'Many' }] }));
    await Promise.all(lots);
    const { body } = await find(page, { name: 'many' });
    expect([body.patients.length, body.more]).toEqual([20, true]);
  });

  test('is one whom the member may read, whatever they may write in the address', async () => {
    const limited = await openBrowser(await makeMember([{ resourceType: 'Patient', criteria: `Patient?_id=${bob}` }]));
    const page = sentTo(await limited.open(ask(app, { scope: SCOPE }).path));
    expect(idsOf(await find(page, {}, limited))).toEqual([bob]);
    for (const patient of [ada, newId()]) {
      const answer = await allowWith(page, { patient }, limited);
      expect([answer.status, answer.body.issue[0].expression]).toEqual([400, ['patient']]);
    }
    expect((await allowWith(page, { patient: bob }, limited)).status).toBe(200);
    const none = await openBrowser(await makeMember([{ resourceType: 'Observation' }]));
    const empty = sentTo(await none.open(ask(app, { scope: SCOPE }).path));
    expect((await find(empty, {}, none)).body).toEqual({ patients: [], more: false });
    const stranger = await openBrowser(await makeOwner());
    expect((await find(page, {}, stranger)).status).toBe(400);
    expect((await find(page, { membership: owner.membershipId }, limited)).status).toBe(400);
    const { access } = await signIn(owner, { scope: 'openid', clientId: app.id });
    const asApp = await callAuth('POST', '/auth/authorization/patients', {
      token: access,
      body: { request: page.search.slice(1) },
    });
    expect(asApp.status).toBe(400);
  });

  test('nobody is found before the second factor is proven', async () => {
    const member = await makeMember([{ resourceType: 'Patient' }]);
    const theirs = await openBrowser(member);
    const page = sentTo(await theirs.open(ask(app, { scope: SCOPE }).path));
    await enrollTotp(member);
    const answer = await find(page, {}, theirs);
    expect([answer.status, answer.body.patients]).toEqual([400, undefined]);
  });

  test('who is a patient is the one, and is not asked', async () => {
    const invited = await world.invite({ resourceType: 'Patient' });
    const patient: Owner = {
      projectId: owner.projectId,
      userId: invited.user.reference.slice(5),
      membershipId: invited.id,
      email: '',
    };
    await changeMember(patient, { active: true });
    const theirs = await openBrowser(patient);
    const asked = ask(app, { scope: SCOPE });
    const page = sentTo(await theirs.open(asked.path));
    expect((await find(page, {}, theirs)).status).toBe(400);
    expect((await allowWith(page, { patient: bob }, theirs)).status).toBe(400);
    const tokens = await tokensOf(await authorizeWith(theirs, asked), asked.verifier);
    expect(`Patient/${tokens.patient}`).toBe(invited.profile.reference);
  });
});

test('the SMART configuration says so, and the style is there for anybody', async () => {
  const { body } = await callAuth('GET', '/fhir/R4/.well-known/smart-configuration');
  expect(body.capabilities).toEqual(
    expect.arrayContaining(['launch-ehr', 'launch-standalone', 'context-ehr-patient', 'context-standalone-patient']),
  );
  expect(body.scopes_supported).toEqual(expect.arrayContaining(['launch', 'launch/patient']));
  const style = await callAuth('GET', '/.well-known/smart-style.json');
  expect(style.body).toMatchObject({ color_background: expect.stringMatching(/^#[0-9a-f]{6}$/) });
});
