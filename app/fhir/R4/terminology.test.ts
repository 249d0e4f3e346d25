import { sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '#lib/testing/call-api.ts';
import { callFhir, expectIssue } from '#lib/testing/fhir/call-fhir.ts';
import { type Caller, type FhirProject, makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';
import { db } from '#lib/testing/set-up/own-db.ts';

type Body = Answer['body'];

const COLORS = 'urn:test:colors';
const colors = {
  resourceType: 'CodeSystem',
  url: COLORS,
  version: '1',
  name: 'Colors',
  status: 'active',
  content: 'complete',
  concept: [
    {
      code: 'red',
      display: 'Red',
      definition: 'Like blood',
      designation: [{ language: 'de', value: 'Rot' }],
      concept: [{ code: 'crimson', display: 'Crimson' }],
    },
    { code: 'blue', display: 'Blue', property: [{ code: 'warm', valueBoolean: false }] },
    { code: 'navy', display: 'Navy', property: [{ code: 'parent', valueCode: 'blue' }] },
  ],
};

let project: FhirProject;
let admin: Caller;
let system: Body;

beforeAll(async () => {
  project = await makeFhirProject();
  admin = project.admin;
  system = (await callFhir(admin, 'POST', 'CodeSystem', { body: colors })).body;
});

const ask = (path: string, caller = admin) => callFhir(caller, 'GET', path);
const values = ({ body }: Answer, name: string) => body.parameter.filter((each: Body) => each.name === name);

async function isCode(code: string, url = COLORS, caller = admin): Promise<boolean> {
  const answer = await ask(`CodeSystem/$validate-code?url=${url}&code=${code}`, caller);
  expect(answer.status, answer.text).toBe(200);
  return values(answer, 'result')[0].valueBoolean;
}

describe('CodeSystem/$lookup', () => {
  test('tells what a code means, by GET and POST', async () => {
    const answer = await ask(`CodeSystem/$lookup?system=${COLORS}&code=red`);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body.parameter.slice(0, 3)).toEqual([
      { name: 'name', valueString: 'Colors' },
      { name: 'version', valueString: '1' },
      { name: 'display', valueString: 'Red' },
    ]);
    expect(values(answer, 'designation')[0].part).toEqual([
      { name: 'language', valueCode: 'de' },
      { name: 'value', valueString: 'Rot' },
    ]);
    const coding = { name: 'coding', valueCoding: { system: COLORS, code: 'red' } };
    const posted = await callFhir(admin, 'POST', 'CodeSystem/$lookup', {
      body: { resourceType: 'Parameters', parameter: [coding] },
    });
    expect(posted.body).toEqual(answer.body);
    const below = await ask(`CodeSystem/$lookup?system=${COLORS}&code=red&property=child`);
    expect(values(below, 'property').map(({ part }: Body) => part[1].valueCode)).toEqual(['crimson']);
    expect(values(await ask(`CodeSystem/$lookup?system=${COLORS}&code=navy&property=child`), 'property')).toEqual([]);
    const child = await ask(`CodeSystem/$lookup?system=${COLORS}&code=crimson&property=parent`);
    expect(values(child, 'property')).toEqual([
      {
        name: 'property',
        part: [
          { name: 'code', valueCode: 'parent' },
          { name: 'value', valueCode: 'red' },
        ],
      },
    ]);
  });

  test('refuses by name what it does not know', async () => {
    expectIssue(await ask('CodeSystem/$lookup?system=urn:none&code=red'), 404, 'not-found', 'system');
    expectIssue(await ask(`CodeSystem/$lookup?system=${COLORS}&code=none`), 404, 'not-found', 'code');
    expectIssue(await ask(`CodeSystem/$lookup?system=${COLORS}&version=2&code=red`), 404, 'not-found', 'system');
    expectIssue(await ask(`CodeSystem/$lookup?system=${COLORS}`), 400, 'invalid', 'code');
    expectIssue(await ask('CodeSystem/$lookup?displayLanguage=de'), 400, 'invalid', 'displayLanguage');
  });

  test('knows the codes of R4', async () => {
    const answer = await ask('CodeSystem/$lookup?system=http://hl7.org/fhir/administrative-gender&code=female');
    expect(values(answer, 'display')).toEqual([{ name: 'display', valueString: 'female' }]);
  });
});

describe('CodeSystem/$validate-code', () => {
  test('says whether a code is there, and its display right', async () => {
    expect([await isCode('red'), await isCode('green'), await isCode('Red')]).toEqual([true, false, false]);
    const display = await ask(`CodeSystem/$validate-code?url=${COLORS}&code=red&display=Blue`);
    expect(values(display, 'result')[0].valueBoolean).toBe(false);
    const translated = await ask(`CodeSystem/${system.id}/$validate-code?code=red&display=rot`);
    expect(values(translated, 'result')[0].valueBoolean).toBe(true);
    const concept = {
      coding: [
        { system: 'urn:other', code: 'x' },
        { system: COLORS, code: 'navy' },
      ],
    };
    const parameter = [
      { name: 'url', valueUri: COLORS },
      { name: 'codeableConcept', valueCodeableConcept: concept },
    ];
    const body = { resourceType: 'Parameters', parameter };
    const posted = await callFhir(admin, 'POST', 'CodeSystem/$validate-code', { body });
    expect(values(posted, 'result')[0].valueBoolean).toBe(true);
  });

  test('follows a change, a transaction and a deletion at once', async () => {
    const url = 'urn:test:changing';
    const body = { ...colors, url };
    const bundle = {
      resourceType: 'Bundle',
      type: 'transaction',
      entry: [{ resource: body, request: { method: 'POST', url: 'CodeSystem' } }],
    };
    const made = await callFhir(admin, 'POST', '', { body: bundle });
    expect(made.status, made.text).toBe(200);
    const id = made.body.entry[0].response.location.match(/CodeSystem\/([^/]+)/)[1];
    expect(await isCode('red', url)).toBe(true);
    const next = { ...body, id, concept: [{ code: 'green' }] };
    expect((await callFhir(admin, 'PUT', `CodeSystem/${id}`, { body: next })).status).toBe(200);
    expect([await isCode('red', url), await isCode('green', url)]).toEqual([false, true]);
    expect((await callFhir(admin, 'DELETE', `CodeSystem/${id}`)).status).toBe(200);
    expectIssue(await ask(`CodeSystem/$validate-code?url=${url}&code=green`), 404, 'not-found', 'system');
    expectIssue(await ask(`CodeSystem/${id}/$validate-code?code=green`), 404, 'not-found');
  });

  test('is within the reach of who asks', async () => {
    const other = await makeFhirProject();
    expectIssue(await ask(`CodeSystem/$validate-code?url=${COLORS}&code=red`, other.admin), 404, 'not-found');
    expectIssue(await ask(`CodeSystem/${system.id}/$validate-code?code=red`, other.admin), 404, 'not-found');
    const blind = await project.member([{ resourceType: 'Patient' }]);
    expectIssue(await ask(`CodeSystem/$validate-code?url=${COLORS}&code=red`, blind), 403, 'forbidden');
    const narrow = await project.member([{ resourceType: 'CodeSystem', criteria: 'CodeSystem?status=draft' }]);
    expectIssue(await ask(`CodeSystem/$validate-code?url=${COLORS}&code=red`, narrow), 404, 'not-found');
  });

  test('knows what was stored without its concepts, and asks within a batch', async () => {
    const url = 'urn:test:before';
    const made = await callFhir(admin, 'POST', 'CodeSystem', { body: { ...colors, url } });
    await db().execute(sql`delete from code_system where project_id = ${project.projectId} and id = ${made.body.id}`);
    await db().execute(
      sql`delete from concept where project_id = ${project.projectId} and system_id = ${made.body.id}`,
    );
    const request = { method: 'GET', url: `CodeSystem/$validate-code?url=${url}&code=red` };
    const bundle = { resourceType: 'Bundle', type: 'batch', entry: [{ request }, { request }] };
    const answer = await callFhir(admin, 'POST', '', { body: bundle });
    const results = answer.body.entry.map(({ resource }: Body) => resource.parameter[0].valueBoolean);
    expect(results).toEqual([true, true]);
    expect(await Promise.all(Array.from({ length: 20 }, () => isCode('red', url)))).not.toContain(false);
  });

  test('changes that race leave the concepts of the last', async () => {
    const url = 'urn:test:race';
    const made = await callFhir(admin, 'POST', 'CodeSystem', { body: { ...colors, url } });
    const put = (code: string) => {
      const body = { ...colors, url, id: made.body.id, concept: [{ code }] };
      return callFhir(admin, 'PUT', `CodeSystem/${made.body.id}`, { body });
    };
    const answers = await Promise.all(Array.from({ length: 20 }, (_, at) => put(`c${at}`)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const { body } = await callFhir(admin, 'GET', `CodeSystem/${made.body.id}`);
    for (let at = 0; at < 20; at += 1) expect(await isCode(`c${at}`, url)).toBe(body.concept[0].code === `c${at}`);
  });

  test('has a hundred thousand concepts', async () => {
    const url = 'urn:test:large';
    const concept = Array.from({ length: 100_000 }, (_, at) => ({ code: `c${at}`, display: `Concept ${at}` }));
    const body = { resourceType: 'CodeSystem', url, status: 'active', content: 'complete', concept };
    const made = await callFhir(admin, 'POST', 'CodeSystem', { body });
    expect(made.status, made.text.slice(0, 300)).toBe(201);
    expect([await isCode('c99999', url), await isCode('c100000', url)]).toEqual([true, false]);
  });
});
