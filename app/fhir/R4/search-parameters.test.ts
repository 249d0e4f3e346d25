import { eq } from 'drizzle-orm';
import { beforeEach, expect, test } from 'vitest';
import { write } from '#lib/domain/audit/write.ts';
import { eraseRows } from '#lib/domain/store/delete-row.ts';
import { workOf } from '#lib/domain/store/own-params/settle-params.ts';
import { ixString } from '#lib/infra/db/schema/fhir/resource.ts';
import { keepProgress, readProgress } from '#lib/infra/db/upkeep.ts';
import { callFhir, expectIssue } from '#lib/testing/fhir/call-fhir.ts';
import { type Caller, type FhirProject, makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';
import { addParam, EXTENSION, found, indexed, searchParameter } from '#lib/testing/fhir/own-params.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { START_CTX } from '#lib/testing/world.ts';

let project: FhirProject;
let admin: Caller;

beforeEach(async () => {
  project = await makeFhirProject();
  admin = project.admin;
});

const value = (name: string) => `Patient.extension('${EXTENSION}/${name}').value`;
const team = searchParameter('Patient', 'team', 'token', `${value('team')}.ofType(Coding)`);

/** A patient with these extensions: `{ team: { valueCoding: … } }`. */
async function addPatient(caller: Caller, extensions: Record<string, object>): Promise<string> {
  const extension = Object.entries(extensions).map(([name, of]) => ({ url: `${EXTENSION}/${name}`, ...of }));
  const made = await callFhir(caller, 'POST', 'Patient', { body: { resourceType: 'Patient', extension } });
  expect(made.status, made.text).toBe(201);
  return made.body.id;
}

const inTeam = (code: string) => ({ team: { valueCoding: { system: 'urn:teams', code } } });

test('what was stored before is found once it is indexed: until then the search is 503, and says how far that is', async () => {
  const red = await addPatient(admin, inTeam('red'));
  await addPatient(admin, inTeam('blue'));
  expectIssue(await callFhir(admin, 'GET', 'Patient?team=red'), 400, 'invalid', 'team');
  await addParam(admin, team);
  const early = await callFhir(admin, 'GET', 'Patient?team=red');
  expectIssue(early, 503, 'transient', 'team');
  expect(early.headers.get('retry-after')).toBe('5');
  expect(early.body.issue[0].details.text).toContain('0 resources are looked at');
  const request = { method: 'POST', url: 'Patient', ifNoneExist: 'team=red' };
  const entry = [{ request, resource: { resourceType: 'Patient' } }];
  const within = await callFhir(admin, 'POST', '', { body: { resourceType: 'Bundle', type: 'transaction', entry } });
  expect(within.status).toBe(503);
  expect(within.body.issue[0].details.text).toBe(early.body.issue[0].details.text);
  const fresh = await addPatient(admin, inTeam('red'));
  await indexed(project.projectId);
  expect((await found(admin, 'Patient?team=red')).sort()).toEqual([red, fresh].sort());
  expect((await found(admin, 'Patient?team=urn:teams|red')).length).toBe(2);
  expect(await found(admin, 'Patient?team=urn:other|red')).toEqual([]);
});

test('each kind has the prefixes and modifiers of its kind, and an order', async () => {
  const kinds: [string, string, string][] = [
    ['nick', 'string', '.ofType(string)'],
    ['seen', 'date', '.ofType(dateTime)'],
    ['nurse', 'reference', '.ofType(Reference)'],
    ['home', 'uri', '.ofType(uri)'],
    ['score', 'number', '.ofType(decimal)'],
    ['dose', 'quantity', '.ofType(Quantity)'],
    ['team', 'token', '.ofType(Coding)'],
  ];
  for (const [code, type, end] of kinds)
    await addParam(admin, searchParameter('Patient', code, type, value(code) + end, { target: ['Practitioner'] }));
  const nurse = (
    await callFhir(admin, 'POST', 'Practitioner', {
      body: { resourceType: 'Practitioner', name: [{ family: 'Seacole' }] },
    })
  ).body.id;
  const full = await addPatient(admin, {
    nick: { valueString: 'Ännchen of Tharau' },
    seen: { valueDateTime: '2026-03-01' },
    nurse: { valueReference: { reference: `Practitioner/${nurse}` } },
    home: { valueUri: 'http://example.org/a/b' },
    score: { valueDecimal: 7.5 },
    dose: { valueQuantity: { value: 2, system: 'http://unitsofmeasure.org', code: 'g' } },
    ...inTeam('red'),
  });
  const other = await addPatient(admin, { score: { valueDecimal: 3 }, nick: { valueString: 'Bo' }, ...inTeam('blue') });
  await indexed(project.projectId);
  const finds: [string, string[]][] = [
    ['nick=annchen', [full]],
    ['nick:exact=Bo', [other]],
    ['nick:contains=tharau', [full]],
    ['seen=ge2026', [full]],
    ['seen=lt2026', []],
    [`nurse=Practitioner/${nurse}`, [full]],
    [`nurse:Practitioner=${nurse}`, [full]],
    ['nurse.family=seacole', [full]],
    ['nurse:missing=true', [other]],
    ['home=http://example.org/a/b', [full]],
    ['home:below=http://example.org/a', [full]],
    ['score=gt5', [full]],
    ['dose=2000|http://unitsofmeasure.org|mg', [full]],
    ['dose:missing=true', [other]],
    ['team:not=red', [other]],
    ['team:missing=false&_sort=team', [other, full]],
    ['_sort=-score', [full, other]],
    ['_sort=nick', [full, other]],
    ['_sort=seen', [full, other]],
  ];
  for (const [search, wanted] of finds)
    expect([search, await found(admin, `Patient?${search}`)]).toEqual([search, wanted]);
  expect((await found(admin, 'Patient?team=red&_include=Patient:nurse')).sort()).toEqual([full, nurse].sort());
  expect((await found(admin, 'Practitioner?_revinclude=Patient:nurse')).sort()).toEqual([full, nurse].sort());
  expect((await found(admin, 'Practitioner?_revinclude=*')).sort()).toEqual([full, nurse].sort());
  expect(await found(admin, 'Practitioner?_has:Patient:nurse:team=red')).toEqual([nurse]);
  expect(await found(admin, 'Practitioner?_has:Patient:nurse:team=blue')).toEqual([]);
  expectIssue(await callFhir(admin, 'GET', 'Patient?team:above=red'), 400, 'invalid');
});

test('what cannot be honoured is refused by the element that says it, and a code that is taken is 409', async () => {
  const refused: [object, string, number][] = [
    [{ expression: 'Patient.extension.first()' }, 'expression', 422],
    [{ expression: 'Patient.nothing' }, 'expression', 422],
    [{ expression: 'Observation.code' }, 'expression', 422],
    [{ expression: 'Patient.name' }, 'expression', 422],
    [{ expression: "Patient.extension.where(nothing='x').value.ofType(Coding)" }, 'expression', 422],
    [{ expression: 'Patient.generalPractitioner.where(resolve() is Nobody)' }, 'expression', 422],
    [{ expression: undefined }, 'expression', 422],
    [{ type: 'special' }, 'type', 422],
    [{ type: 'composite' }, 'type', 422],
    [{ code: '_team' }, 'code', 422],
    [{ code: 'a.b' }, 'code', 422],
    [{ base: ['Resource'] }, 'base', 422],
    [{ base: ['ProjectMembership'] }, 'base', 422],
    [{ xpathUsage: 'phonetic' }, 'xpathUsage', 422],
    [{ code: 'gender' }, 'code', 409],
  ];
  for (const [change, element, status] of refused) {
    const answer = await callFhir(admin, 'POST', 'SearchParameter', { body: { ...team, ...change } });
    expect([change, answer.status], answer.text).toEqual([change, status]);
    expect(answer.body.issue[0].expression[0]).toMatch(`SearchParameter.${element}`);
  }
  await addParam(admin, team);
  expectIssue(
    await callFhir(admin, 'POST', 'SearchParameter', { body: team }),
    409,
    'duplicate',
    'SearchParameter.code',
  );
  await addParam(admin, { ...team, status: 'draft', expression: 'not for now' });
});

test('two projects have the same code with different meanings, and others do not know it', async () => {
  const other = await makeFhirProject();
  await addParam(admin, team);
  await addParam(other.admin, searchParameter('Patient', 'team', 'string', `${value('nick')}.ofType(string)`));
  const extensions = { ...inTeam('red'), nick: { valueString: 'red' } };
  const ids = await Promise.all([addPatient(admin, extensions), addPatient(other.admin, extensions)]);
  await Promise.all([indexed(project.projectId), indexed(other.projectId)]);
  expect(await found(admin, 'Patient?team=urn:teams|red')).toEqual([ids[0]]);
  expect(await found(other.admin, 'Patient?team:contains=ed')).toEqual([ids[1]]);
  expectIssue(await callFhir(admin, 'GET', 'Patient?team:contains=ed'), 400, 'invalid');
  const third = await makeFhirProject();
  expectIssue(await callFhir(third.admin, 'GET', 'Patient?team=red'), 400, 'invalid', 'team');
});

test('a change of the expression is indexed anew, and what the one before had indexed is found by nobody', async () => {
  const id = await addParam(admin, team);
  const red = await addPatient(admin, { ...inTeam('red'), crew: { valueCoding: { code: 'green' } } });
  await indexed(project.projectId);
  const changed = { ...team, id, expression: `${value('crew')}.ofType(Coding)` };
  expect((await callFhir(admin, 'PUT', `SearchParameter/${id}`, { body: changed })).status).toBe(200);
  expectIssue(await callFhir(admin, 'GET', 'Patient?team=red'), 503, 'transient');
  await indexed(project.projectId);
  expect(await found(admin, 'Patient?team=red')).toEqual([]);
  expect(await found(admin, 'Patient?team=green')).toEqual([red]);
  const named = { ...changed, description: 'The same' };
  expect((await callFhir(admin, 'PUT', `SearchParameter/${id}`, { body: named })).status).toBe(200);
  expect(await found(admin, 'Patient?team=green')).toEqual([red]);
  expect(
    (await callFhir(admin, 'PUT', `SearchParameter/${id}`, { body: { ...named, status: 'retired' } })).status,
  ).toBe(200);
  expectIssue(await callFhir(admin, 'GET', 'Patient?team=green'), 400, 'invalid', 'team');
});

test('a deleted one is unknown at once, and its code is free for another meaning', async () => {
  const id = await addParam(admin, team);
  const red = await addPatient(admin, { ...inTeam('red'), nick: { valueString: 'Rudi' } });
  await indexed(project.projectId);
  expect(await found(admin, 'Patient?team=red')).toEqual([red]);
  expect((await callFhir(admin, 'DELETE', `SearchParameter/${id}`)).status).toBe(200);
  expectIssue(await callFhir(admin, 'GET', 'Patient?team=red'), 400, 'invalid', 'team');
  await addParam(admin, searchParameter('Patient', 'team', 'string', `${value('nick')}.ofType(string)`));
  await indexed(project.projectId);
  expect(await found(admin, 'Patient?team=rudi')).toEqual([red]);
  expect(await found(admin, 'Patient?team=red')).toEqual([]);
});

test('an index that a change overtook begins anew: who was at it says nothing of the one that came', async () => {
  await addParam(admin, team);
  const name = workOf(project.projectId);
  const before = await readProgress<{ run: string }>(name);
  await addParam(admin, searchParameter('Patient', 'nick', 'string', `${value('nick')}.ofType(string)`));
  expect((await readProgress<{ run: string }>(name))?.run).not.toBe(before?.run);
  // As a process leaves it that was killed after half of the work.
  await keepProgress(name, { run: 'killed', fence: 0, looked: 1, at: { typeId: 0, id: '' } });
  const red = await addPatient(admin, inTeam('red'));
  await indexed(project.projectId);
  expect(await found(admin, 'Patient?team=red')).toEqual([red]);
});

test('a transaction may create one and what it finds: it holds from the next request on', async () => {
  const patient = { resourceType: 'Patient', extension: [{ url: `${EXTENSION}/team`, valueCoding: { code: 'red' } }] };
  const entry = [team, patient].map((resource) => ({
    resource,
    request: { method: 'POST', url: resource.resourceType },
  }));
  const answer = await callFhir(admin, 'POST', '', { body: { resourceType: 'Bundle', type: 'transaction', entry } });
  expect(answer.status, answer.text).toBe(200);
  await indexed(project.projectId);
  expect((await found(admin, 'Patient?team=red')).length).toBe(1);
});

test('conditions and policies take it as they take those of R4', async () => {
  await addParam(admin, team);
  await indexed(project.projectId);
  const red = await addPatient(admin, inTeam('red'));
  const blue = await addPatient(admin, inTeam('blue'));
  const again = await callFhir(admin, 'POST', 'Patient', {
    body: { resourceType: 'Patient' },
    headers: { 'if-none-exist': 'team=red' },
  });
  expect([again.status, again.body.id]).toEqual([200, red]);
  const policy = {
    resourceType: 'AccessPolicy',
    name: 'Red',
    resource: [{ resourceType: 'Patient', criteria: 'Patient?team=red' }],
  };
  const made = await callFhir(admin, 'POST', 'AccessPolicy', { body: policy });
  expect(made.status, made.text).toBe(201);
  const wrong = { ...policy, resource: [{ resourceType: 'Patient', criteria: 'Patient?squad=red' }] };
  expect((await callFhir(admin, 'POST', 'AccessPolicy', { body: wrong })).status).toBe(400);
  const member = await project.member([{ resourceType: 'Patient', criteria: 'Patient?team=red' }]);
  expect(await found(member, 'Patient')).toEqual([red]);
  expect((await callFhir(member, 'GET', `Patient/${blue}`)).status).toBe(404);
  expect((await callFhir(member, 'GET', `Patient/${red}`)).status).toBe(200);
});

test('while it is being indexed, a policy with it grants nothing: what it does not know yet, it does not let through', async () => {
  const id = await addParam(admin, team);
  await addPatient(admin, { ...inTeam('red'), crew: { valueCoding: { code: 'red' } } });
  const blue = await addPatient(admin, inTeam('blue'));
  await indexed(project.projectId);
  const member = await project.member([{ resourceType: 'Patient', criteria: 'Patient?team:not=red' }]);
  expect(await found(member, 'Patient')).toEqual([blue]);
  const changed = { ...team, id, expression: `${value('crew')}.ofType(Coding)` };
  expect((await callFhir(admin, 'PUT', `SearchParameter/${id}`, { body: changed })).status).toBe(200);
  expect((await callFhir(member, 'GET', 'Patient')).status).toBe(403);
  await indexed(project.projectId);
  expect(await found(member, 'Patient')).toEqual([blue]);
});

test('a subscription asks by it at once, since each change is judged by what it says itself', async () => {
  const channel = { type: 'rest-hook', endpoint: 'https://example.com/hook' };
  const subscribe = (criteria: string) => {
    const body = { resourceType: 'Subscription', status: 'requested', reason: 'Test', criteria, channel };
    return callFhir(admin, 'POST', 'Subscription', { body });
  };
  expectIssue(await subscribe('Patient?team=red'), 422, 'business-rule', 'Subscription.criteria');
  await addParam(admin, team);
  expect((await subscribe('Patient?team=red')).status).toBe(201);
});

test('what is indexed of a resource goes with it when it is erased', async () => {
  await addParam(admin, searchParameter('Patient', 'nick', 'string', `${value('nick')}.ofType(string)`));
  const id = await addPatient(admin, { nick: { valueString: 'Rudi' } });
  const of = { projectId: project.projectId, type: 'Patient' };
  const entries = async () => (await db().select().from(ixString).where(eq(ixString.id, id))).length;
  expect(await entries()).toBe(1);
  await write(START_CTX, async (w) => {
    w.audit({ projectId: of.projectId, action: 'resource.delete', target: `Patient/${id}` });
    await eraseRows(w, of, [id]);
  });
  expect(await entries()).toBe(0);
});

test('who may not write SearchParameters adds none', async () => {
  const member = await project.member([{ resourceType: 'Patient' }]);
  expect((await callFhir(member, 'POST', 'SearchParameter', { body: team })).status).toBe(403);
});

test('a project has so many, and so many of a type', async () => {
  const entry = Array.from({ length: 31 }, (_, n) => ({
    resource: searchParameter('Patient', `own-${n}`, 'token', `${value('team')}.ofType(Coding)`),
    request: { method: 'POST', url: 'SearchParameter' },
  }));
  const answer = await callFhir(admin, 'POST', '', { body: { resourceType: 'Bundle', type: 'transaction', entry } });
  expect(answer.status, answer.text).toBe(422);
  expect(answer.text).toContain('30 search parameters of Patient');
});
