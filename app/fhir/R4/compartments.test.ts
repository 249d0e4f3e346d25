import { beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '#lib/testing/call-api.ts';
import { callFhir, expectIssue, FHIR_BASE } from '#lib/testing/fhir/call-fhir.ts';
import { type Caller, type FhirProject, makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';
import { namedResources } from '#lib/testing/fhir/named-resources.ts';

type Body = Answer['body'];

let project: FhirProject;
let admin: Caller;
let ann: string;
const { made, make } = namedResources(() => admin);
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

beforeAll(async () => {
  project = await makeFhirProject();
  admin = project.admin;
  const grey = await make('grey', { resourceType: 'Practitioner', name: [{ family: 'Grey' }] });
  ann = await make('ann', { resourceType: 'Patient', name: [{ family: 'A' }] });
  const bob = await make('bob', { resourceType: 'Patient', name: [{ family: 'B' }] });
  const observe = (name: string, subject: string, code: string) =>
    make(name, {
      resourceType: 'Observation',
      status: 'final',
      code: { text: code, coding: [{ code }] },
      subject: { reference: subject },
    });
  await observe('first', ann, 'a');
  await observe('second', ann, 'b');
  await observe('other', bob, 'a');
  const visit = { resourceType: 'Encounter', status: 'finished', class: { code: 'AMB' }, subject: { reference: ann } };
  await make('visit', { ...visit, participant: [{ individual: { reference: grey } }] });
  await make('list', {
    resourceType: 'List',
    status: 'current',
    mode: 'working',
    entry: [{ item: { reference: `Observation/${made.second.id}` } }, { item: { reference: ann } }],
  });
});

async function bundle(path: string, caller = admin, body?: string): Promise<Body> {
  const answer =
    body === undefined
      ? await callFhir(caller, 'GET', path)
      : await callFhir(caller, 'POST', path, { body, headers: FORM });
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}

function namesOf(found: Body): string[] {
  return (found.entry ?? []).map((entry: Body) =>
    Object.keys(made).find((name) => made[name].id === entry.resource.id),
  );
}

/** Page after page. */
async function all(path: string, caller = admin): Promise<string[]> {
  const names: string[] = [];
  for (let next: string | undefined = path; next !== undefined; ) {
    const page: Body = await bundle(next, caller);
    names.push(...namesOf(page));
    next = page.link
      .find((link: Body) => link.relation === 'next')
      ?.url.slice(FHIR_BASE.length)
      .replace(/^\//, '');
  }
  return names;
}

describe('a compartment', () => {
  test('is searched by type, by GET and POST, and tells its own address', async () => {
    const found = await bundle(`${ann}/Observation?code=a`);
    expect(namesOf(found)).toEqual(['first']);
    expect(found.link[0].url).toBe(`${FHIR_BASE}/${ann}/Observation?code=a`);
    expect((await all(`${ann}/Observation?_count=1`)).sort()).toEqual(['first', 'second']);
    expect(namesOf(await bundle(`${ann}/Observation/_search`, admin, 'code=b'))).toEqual(['second']);
    expect(namesOf(await bundle(`${ann}/Patient`))).toEqual(['ann']);
    expect(namesOf(await bundle(`Practitioner/${made.grey.id}/Encounter`))).toEqual(['visit']);
    expect(namesOf(await bundle(`Encounter/${made.visit.id}/Encounter`))).toEqual(['visit']);
    expect(namesOf(await bundle(`${ann}/Encounter?participant:Practitioner.name=grey`))).toEqual(['visit']);
  });

  test('is searched whole, newest first, page by page', async () => {
    const names = ['list', 'visit', 'second', 'first', 'ann'];
    const inIt = names.filter((name) => name !== 'list');
    expect(await all(`${ann}/*`)).toEqual(inIt);
    expect(await all(`${ann}/*?_count=1`)).toEqual(inIt);
    expect(await all(`${ann}/*?_type=Observation,Encounter&_count=2`)).toEqual(['visit', 'second', 'first']);
    expect(await all(`${ann}/*?_type=Observation&code=b`)).toEqual(['second']);
    expect((await bundle(`${ann}/*?_summary=count`)).total).toBe(4);
    expect((await bundle(`${ann}/*?_total=accurate&_count=1`)).total).toBe(4);
    expect(namesOf(await bundle(`${ann}/_search`, admin, `_id=${made.first.id}`))).toEqual(['first']);
    expect((await bundle(`${ann}/*?_elements=status&_type=Observation`)).entry[0].resource).not.toHaveProperty(
      'subject',
    );
  });

  test('shows what the caller reaches of each type, to whom may read its owner', async () => {
    const some = await project.member([
      { resourceType: 'Patient', criteria: `Patient?_id=${made.ann.id}` },
      { resourceType: 'Observation', criteria: 'Observation?code=b' },
    ]);
    expect(await all(`${ann}/*?_count=1`, some)).toEqual(['second', 'ann']);
    expect(namesOf(await bundle(`${ann}/Observation`, some))).toEqual(['second']);
    expectIssue(await callFhir(some, 'GET', `Patient/${made.bob.id}/Observation`), 404, 'not-found');
    expectIssue(await callFhir(some, 'GET', `${ann}/Encounter`), 403, 'forbidden');
    const other = await makeFhirProject();
    expectIssue(await callFhir(other.admin, 'GET', `${ann}/*`), 404, 'not-found');
  });

  test.each([
    ['Patient/nobody/Observation', 404],
    ['Patient/nobody/*', 404],
    ['ANN/Medication', 404],
    ['ANN/Nonsense', 404],
    ['ANN/AuditEvent', 404],
    ['ANN/Observation?nosuch=1', 400],
    ['ANN/*?code=a', 400],
    ['ANN/*?_type=Medication', 400],
    ['ANN/*?_sort=_lastUpdated', 400],
    ['ANN/*?_include=Observation:subject', 400],
    ['ANN/*?_cursor=x', 400],
    ['ANN/*?_cursor=WyIyMDI2IiwiUGF0aWVudCIsIngiXQ', 400],
  ])('%s answers %i', async (path, status) => {
    const answer = await callFhir(admin, 'GET', path.replace('ANN', ann));
    expect(answer.status, answer.text).toBe(status);
    expect(answer.body.resourceType).toBe('OperationOutcome');
  });
});

describe('a search over types', () => {
  test('finds the newest of all, page by page, and the oldest first', async () => {
    const newest = ['visit', 'other', 'second', 'first', 'bob', 'ann'];
    for (const count of [1, 2, 4, 50]) {
      expect(await all(`?_type=Patient,Observation,Encounter&_count=${count}`)).toEqual(newest);
      const oldest = await all(`?_type=Patient,Observation,Encounter&_count=${count}&_sort=_lastUpdated`);
      expect(oldest).toEqual(newest.toReversed());
    }
    expect(namesOf(await bundle('_search', admin, '_type=Patient&_id=nobody'))).toEqual([]);
    expect((await bundle('?_type=Patient,Observation&_total=accurate&_count=1')).total).toBe(5);
    expect(await bundle('?_type=Patient,Observation&_summary=count')).toMatchObject({ total: 5 });
    expect(await all(`?_type=Patient,Observation&_id=${made.ann.id},${made.first.id}`)).toEqual(['first', 'ann']);
    expect(await all('?_type=Observation,Encounter&patient._id=x')).toEqual([]);
    expect(await all(`?_type=Observation,Patient&_list=${made.list.id}`)).toEqual(['second', 'ann']);
  });

  test('goes on where it ended when much changed at one moment', async () => {
    const other = await makeFhirProject();
    const made = Array.from({ length: 30 }, (_, at) => {
      const resourceType = ['Basic', 'Patient', 'Organization'][at % 3]!;
      const body = { resourceType, ...(resourceType === 'Patient' ? {} : { code: { text: 'x' }, name: 'x' }) } as Body;
      if (resourceType === 'Basic') delete body.name;
      else delete body.code;
      return callFhir(other.admin, 'POST', resourceType, { body });
    });
    const ids = (await Promise.all(made)).map((answer) => answer.body.id);
    for (const count of [1, 7]) {
      const seen: string[] = [];
      for (let next: string | undefined = `?_type=Patient,Basic,Organization&_count=${count}`; next !== undefined; ) {
        const page: Body = await bundle(next, other.admin);
        seen.push(...(page.entry ?? []).map((entry: Body) => entry.resource.id));
        next = page.link
          .find((link: Body) => link.relation === 'next')
          ?.url.slice(FHIR_BASE.length)
          .replace(/^\//, '');
      }
      expect(seen.toSorted()).toEqual(ids.toSorted());
    }
  });

  test('each within reach, and of none that the caller may not search', async () => {
    const some = await project.member([
      { resourceType: 'Patient' },
      { resourceType: 'Observation', criteria: 'Observation?code=b' },
    ]);
    expect(await all('?_type=Patient,Observation&_count=1', some)).toEqual(['second', 'bob', 'ann']);
    expectIssue(await callFhir(some, 'GET', '?_type=Patient,Encounter'), 403, 'forbidden');
    expectIssue(await callFhir(some, 'GET', `?_type=Patient&_list=${made.list.id}`), 403, 'forbidden');
  });

  test.each([
    ['', '_type'],
    ['_type=', '_type'],
    ['_type=Nonsense', '_type'],
    ['_type=AuditEvent,Patient', '_type'],
    [`_type=${Array.from({ length: 30 }, (_, at) => `T${at}`)}`, '_type'],
    ['_type=Patient,Observation&code=a', 'code'],
    ['_type=Patient&_sort=birthdate', '_sort'],
    ['_type=Patient&_include=Patient:organization', '_include'],
    ['_type=Patient&_revinclude=Observation:subject', '_revinclude'],
    ['_type=Patient&_offset=20', '_offset'],
    ['_type=Patient&_query=x', '_query'],
    ['_type=Patient&_contained=true', '_contained'],
    ['_type=Patient&_list=$current-problems', '_list'],
    ['_type=Patient&_list:not=x', '_list:not'],
    ['_type=Patient&_cursor=x&_cursor=y', '_cursor'],
    [`_type=Patient&_cursor=${'x'.repeat(10_000)}`, '_cursor'],
  ])('400 for ?%s', async (query, name) => {
    expectIssue(await callFhir(admin, 'GET', `?${query}`), 400, 'invalid', name);
  });
});
