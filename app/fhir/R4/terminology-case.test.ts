import { beforeAll, expect, test } from 'vitest';
import { callFhir, expectIssue } from '#lib/testing/fhir/call-fhir.ts';
import { type Caller, makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';

const LOOSE = 'urn:case:loose';
const STRICT = 'urn:case:strict';

let admin: Caller;
async function make(body: { resourceType: string }) {
  const made = await callFhir(admin, 'POST', body.resourceType, { body });
  expect(made.status, made.text).toBe(201);
}
const valueSet = (name: string, compose: object) =>
  make({ resourceType: 'ValueSet', ...{ url: `urn:case:${name}`, status: 'active', compose } });
const system = (url: string, more: object = {}) => ({
  resourceType: 'CodeSystem',
  url,
  status: 'active',
  content: 'complete',
  concept: [{ code: 'Ärm', display: 'Arm', concept: [{ code: 'HAND', display: 'Hand' }] }, { code: 'leg' }],
  ...more,
});
async function result(path: string) {
  const answer = await callFhir(admin, 'GET', path);
  expect(answer.status, answer.text).toBe(200);
  return answer.body.parameter[0].valueBoolean;
}
async function codes(name: string, more = '') {
  const answer = await callFhir(admin, 'GET', `ValueSet/$expand?url=urn:case:${name}${more}`);
  expect(answer.status, answer.text).toBe(200);
  return (answer.body.expansion.contains ?? []).map(({ code }: { code: string }) => code);
}

beforeAll(async () => {
  admin = (await makeFhirProject()).admin;
  await make(system(LOOSE, { caseSensitive: false }));
  await make(system(STRICT, { caseSensitive: true }));
  for (const [name, url] of [
    ['loose', LOOSE],
    ['strict', STRICT],
  ]) {
    const filter = [{ property: 'concept', op: 'is-a', value: 'äRM' }];
    await valueSet(name!, { include: [{ system: url }] });
    await valueSet(`${name}-arm`, { include: [{ system: url, filter }] });
    await valueSet(`${name}-listed`, { include: [{ system: url, concept: [{ code: 'Hand' }] }] });
    const exclude = [{ system: url, concept: [{ code: 'hand' }] }];
    await valueSet(`${name}-rest`, { include: [{ system: url }], exclude });
    const both = [`urn:case:${name}`, `urn:case:${name}-listed`];
    await valueSet(`${name}-both`, { include: [{ valueSet: both }] });
  }
});

test('a system to whose codes case is nothing has them in any case, and answers as it writes them', async () => {
  expect(await result(`CodeSystem/$validate-code?url=${LOOSE}&code=hand&display=Hand`)).toBe(true);
  const looked = await callFhir(admin, 'GET', `CodeSystem/$lookup?system=${LOOSE}&code=%C3%84RM`);
  expect(looked.body.parameter).toContainEqual({ name: 'display', valueString: 'Arm' });
  for (const set of ['loose', 'loose-arm', 'loose-listed', 'loose-both'])
    expect([set, await result(`ValueSet/$validate-code?url=urn:case:${set}&system=${LOOSE}&code=hAnD`)]).toEqual([
      set,
      true,
    ]);
  expect(await codes('loose-arm')).toEqual(['Ärm', 'HAND']);
  expect(await codes('loose-rest')).toEqual(['Ärm', 'leg']);
  expect(await codes('loose-both')).toEqual(['HAND']);
  const below = await callFhir(admin, 'GET', `Location?type:below=${LOOSE}|%C3%A4rm`);
  expect(below.status, below.text).toBe(200);
  expect(await result(`CodeSystem/$validate-code?url=${LOOSE}&code=foot`)).toBe(false);
});

test('a map has the codes of its systems in any case, there and back', async () => {
  for (const [name, url] of [
    ['loose', LOOSE],
    ['strict', STRICT],
  ]) {
    const element = [{ code: 'Hand', target: [{ code: 'x', equivalence: 'equal' }] }];
    const group = [{ source: url, target: 'urn:case:other', element }];
    await make({ resourceType: 'ConceptMap', ...{ url: `urn:case:map-${name}`, status: 'active', group } });
    const back = [
      {
        source: 'urn:case:other',
        target: url,
        element: [{ code: 'x', target: [{ code: 'Hand', equivalence: 'equal' }] }],
      },
    ];
    await make({ resourceType: 'ConceptMap', ...{ url: `urn:case:back-${name}`, status: 'active', group: back } });
    const is = name === 'loose';
    expect(await result(`ConceptMap/$translate?url=urn:case:map-${name}&system=${url}&code=hAND`)).toBe(is);
    expect(await result(`ConceptMap/$translate?url=urn:case:back-${name}&system=${url}&code=hAND&reverse=true`)).toBe(
      is,
    );
  }
});

test('in any other system case is something', async () => {
  expect(await result(`CodeSystem/$validate-code?url=${STRICT}&code=hand`)).toBe(false);
  expect(await result(`ValueSet/$validate-code?url=urn:case:strict-listed&code=HAND`)).toBe(false);
  expectIssue(await callFhir(admin, 'GET', 'ValueSet/$expand?url=urn:case:strict-arm'), 422, 'business-rule');
  expect(await codes('strict-rest')).toEqual(['Ärm', 'HAND', 'leg']);
  expect(await codes('strict-both')).toEqual([]);
});

test('a code that is too long to be found is refused when its system is written, naming it', async () => {
  const url = 'urn:case:long';
  const body = system(url, { concept: [{ code: 'a', concept: [{ code: 'x'.repeat(501) }] }] });
  expectIssue(await callFhir(admin, 'POST', 'CodeSystem', { body }), 422, 'business-rule', 'CodeSystem.concept.code');
  await make(system(url, { concept: [{ code: '\u{1F600}'.repeat(250) }] }));
  expect(await result(`CodeSystem/$validate-code?url=${url}&code=${encodeURIComponent('\u{1F600}'.repeat(250))}`)).toBe(
    true,
  );
});
