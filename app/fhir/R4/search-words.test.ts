import { beforeAll, describe, expect, test } from 'vitest';
import { write } from '#lib/domain/audit/write.ts';
import { eraseRows } from '#lib/domain/store/delete-row.ts';
import { type Answer, callApi } from '#lib/testing/call-api.ts';
import { callFhir, expectIssue } from '#lib/testing/fhir/call-fhir.ts';
import { type FhirProject, makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';
import { namedResources } from '#lib/testing/fhir/named-resources.ts';
import { indexed } from '#lib/testing/fhir/own-params.ts';
import { makeWordedProject, setTextSearch } from '#lib/testing/fhir/text-search.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { START_CTX } from '#lib/testing/world.ts';

type Body = Answer['body'];

let project: FhirProject;
const { made, make } = namedResources(() => project.admin);
const observation = (text: string, more: object = {}) => ({
  resourceType: 'Observation',
  status: 'final',
  code: { text },
  ...more,
});
const narrative = (text: string) => ({
  text: { status: 'generated', div: `<div xmlns="http://www.w3.org/1999/xhtml">${text}</div>` },
});
const note = (text: string) => ({ note: [{ text }] });

beforeAll(async () => {
  project = await makeWordedProject();
  const ann = await make('ann', {
    resourceType: 'Patient',
    name: [{ family: 'Öberg' }],
    ...narrative('<p>Ann &Ouml;berg</p>'),
  });
  const subject = { reference: ann };
  await make('bone', observation('Bone scan', { subject, ...note('distant metastases, of the lung') }));
  await make('liver', observation('Liver', { ...note('metastases'), ...narrative('Enlarged <b>li</b>ver') }));
  await make('plain', observation('Scan of the bone', { ...note('No metastases.\ndistant') }));
});

async function find(query: string, type = 'Observation'): Promise<string[]> {
  const answer = await callFhir(project.admin, 'GET', `${type}${type.includes('?') ? '&' : '?'}${query}`);
  expect(answer.status, answer.text).toBe(200);
  const names = new Map(Object.entries(made).map(([name, { id }]) => [id, name]));
  return (answer.body.entry ?? []).map(({ resource }: Body) => names.get(resource.id)).toSorted();
}

const q = encodeURIComponent;

describe('what is found', () => {
  test('words, all or any of them, phrases, whatever the case, the accents and the order', async () => {
    expect(await find('_content=METASTASES')).toEqual(['bone', 'liver', 'plain']);
    expect(await find(`_content=${q('(bone OR liver) and metastases')}`)).toEqual(['bone', 'liver', 'plain']);
    expect(await find(`_content=${q('bone distant')}`)).toEqual(['bone', 'plain']);
    expect(await find(`_content=${q('"distant metastases"')}`)).toEqual(['bone']);
    expect(await find(`_content=${q('"bone scan" or enlarged')}`)).toEqual(['bone', 'liver']);
    expect(await find('_content=lung,enlarged')).toEqual(['bone', 'liver']);
    expect(await find('_content=lung&_content=bone')).toEqual(['bone']);
    expect(await find('_content=oberg', 'Patient')).toEqual(['ann']);
    expect(await find(`_content=${q('ÖBERG')}`, 'Patient')).toEqual(['ann']);
    expect(await find('_content=metastase')).toEqual([]);
  });

  test('_text knows the narrative alone, and _content what else there is, too', async () => {
    expect(await find('_text=liver')).toEqual(['liver']);
    expect(await find('_text=metastases')).toEqual([]);
    expect(await find(`_text=${q('ann öberg')}`, 'Patient')).toEqual(['ann']);
    expect(await find('_content=final')).toEqual(['bone', 'liver', 'plain']);
    expect(await find(`_content=${q(made.ann.id)}`)).toEqual([]);
  });

  test('with other parameters, in chains and _has, over types, in compartments and by POST', async () => {
    expect(await find('_content=metastases&status=final&_sort=_id&_total=accurate')).toHaveLength(3);
    expect(await find('subject:Patient._content=oberg')).toEqual(['bone']);
    expect(await find('subject._text=ann')).toEqual(['bone']);
    expect(await find('_has:Observation:patient:_content=lung', 'Patient')).toEqual(['ann']);
    expect(await find('_content=ann,metastases', '?_type=Patient,Observation')).toEqual([
      'ann',
      'bone',
      'liver',
      'plain',
    ]);
    expect(await find('_content=lung', `Patient/${made.ann.id}/Observation`)).toEqual(['bone']);
    expect(await find('_content=lung', `Patient/${made.ann.id}/*`)).toEqual(['bone']);
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const posted = await callFhir(project.admin, 'POST', 'Observation/_search', { headers, body: '_content=lung' });
    expect(posted.body.entry).toHaveLength(1);
  });

  test('pages hold each match once, and their links lead on', async () => {
    const ids: string[] = [];
    for (let path = 'Observation?_content=metastases&_count=2&_total=accurate'; path; ) {
      const { body } = await callFhir(project.admin, 'GET', path);
      expect(body.total).toBe(3);
      ids.push(...body.entry.map(({ resource }: Body) => resource.id));
      path = body.link.find(({ relation }: Body) => relation === 'next')?.url.replace(/^.*\/fhir\/R4\//, '') ?? '';
    }
    expect(new Set(ids).size).toBe(3);
    expect(ids).toHaveLength(3);
  });

  test('a condition of a create asks for words', async () => {
    const body = observation('x');
    const again = await callFhir(project.admin, 'POST', 'Observation', {
      headers: { 'if-none-exist': '_content=lung' },
      body,
    });
    expect([again.status, again.body.id]).toEqual([200, made.bone.id]);
    const entry = { resource: body, request: { method: 'POST', url: 'Observation', ifNoneExist: '_content=lung' } };
    const bundle = { resourceType: 'Bundle', type: 'transaction', entry: [entry] };
    expect((await callFhir(project.admin, 'POST', '', { body: bundle })).body.entry[0].response.status).toContain(
      '200',
    );
  });

  test('nothing of what the caller may not search, and nothing of another project', async () => {
    const member = await project.member([
      { resourceType: 'Observation', criteria: `Observation?subject=Patient/${made.ann.id}` },
    ]);
    const answer = await callFhir(member, 'GET', 'Observation?_content=metastases');
    expect(answer.body.entry.map(({ resource }: Body) => resource.id)).toEqual([made.bone.id]);
    const other = await makeWordedProject();
    expect((await callFhir(other.admin, 'GET', 'Observation?_content=metastases')).body.entry).toBeUndefined();
  });
});

test('what a resource says now is what it is found by: updated, patched, deleted, brought back, in transactions, erased', async () => {
  const { admin, projectId } = await makeWordedProject();
  const ids = async (words: string) => {
    const { body } = await callFhir(admin, 'GET', `Observation?_content=${words}`);
    return (body.entry ?? []).map(({ resource }: Body) => resource.id);
  };
  const { id } = (await callFhir(admin, 'POST', 'Observation', { body: observation('first', narrative('told')) })).body;
  await callFhir(admin, 'PUT', `Observation/${id}`, { body: observation('second', { id }) });
  expect([await ids('first'), await ids('told'), await ids('second')]).toEqual([[], [], [id]]);
  const headers = { 'content-type': 'application/json-patch+json' };
  await callFhir(admin, 'PATCH', `Observation/${id}`, {
    headers,
    body: [{ op: 'replace', path: '/code/text', value: 'third' }],
  });
  expect([await ids('second'), await ids('third')]).toEqual([[], [id]]);
  const transaction = async (...entry: object[]) => {
    const answer = await callFhir(admin, 'POST', '', { body: { resourceType: 'Bundle', type: 'transaction', entry } });
    expect(answer.status, answer.text).toBe(200);
    return answer.body.entry;
  };
  const put = { resource: observation('fourth', { id }), request: { method: 'PUT', url: `Observation/${id}` } };
  const [, { response }] = await transaction(put, {
    resource: observation('fourth'),
    request: { method: 'POST', url: 'Observation' },
  });
  const other = /Observation\/([^/]+)/.exec(response.location)![1]!;
  expect((await ids('fourth')).toSorted()).toEqual([id, other].toSorted());
  await transaction({ request: { method: 'DELETE', url: `Observation/${other}` } });
  await callFhir(admin, 'DELETE', `Observation/${id}`);
  expect(await ids('fourth')).toEqual([]);
  await callFhir(admin, 'PUT', `Observation/${id}`, { body: observation('fifth', { id, ...narrative('again') }) });
  expect(await ids('again')).toEqual([id]);
  await write(START_CTX, async (w) => {
    w.audit({ projectId, action: 'resource.delete', target: `Observation/${id}` });
    return eraseRows(w, { projectId, type: 'Observation' }, [id]);
  });
  expect(await ids('fifth')).toEqual([]);
  expect(await db().execute(`select from ix_words where project_id = '${projectId}' and id = '${id}'`)).toHaveLength(0);
});

test('a subscription asks for words at once, each change is judged by what it says, and it ends with the setting', async () => {
  const own = await makeFhirProject();
  const channel = { type: 'rest-hook', endpoint: 'https://example.com/hook' };
  const criteria = 'Observation?_content=bone&_text=told';
  const body = { resourceType: 'Subscription', status: 'requested', reason: 'Test', criteria, channel };
  const subscribe = () => callFhir(own.admin, 'POST', 'Subscription', { body });
  expectIssue(await subscribe(), 422, 'business-rule', 'Subscription.criteria');
  await setTextSearch(own, true);
  expect((await subscribe()).status).toBe(201);
  const add = (words: string, told: string) =>
    callFhir(own.admin, 'POST', 'Observation', { body: observation(words, narrative(told)) });
  const jobs = () =>
    db().execute(`select from pgboss.job where name = 'hook' and data ->> 'projectId' = '${own.projectId}'`);
  await add('bone', 'told');
  await add('bone', 'else');
  await add('liver', 'told');
  expect(await jobs()).toHaveLength(1);
  await setTextSearch(own, false);
  await add('bone', 'told');
  expect(await jobs()).toHaveLength(1);
});

describe('the setting', () => {
  test('is off until somebody turns it on: until then a search is refused, and names it; lenient callers are told', async () => {
    const own = await makeFhirProject();
    for (const name of ['_text', '_content']) {
      const refused = await callFhir(own.admin, 'GET', `Patient?${name}=x`);
      expectIssue(refused, 400, 'invalid', name);
      expect(refused.text).toContain('textSearch');
    }
    const lenient = await callFhir(own.admin, 'GET', 'Patient?_content=x', { headers: { prefer: 'handling=lenient' } });
    expect([lenient.status, lenient.text.includes('_content')]).toEqual([200, true]);
    const wrong = { body: [{ name: 'textSearch', valueString: 'yes' }] };
    expect(
      (await callApi(own.admin.authorization, 'POST', `/admin/projects/${own.projectId}/settings`, wrong)).status,
    ).toBe(400);
  });

  test('finds what was stored before once that is indexed; turned off, its entries go; turned on again, nothing is lacking', async () => {
    const own = await makeFhirProject();
    const add = async () =>
      (await callFhir(own.admin, 'POST', 'Patient', { body: { resourceType: 'Patient', name: [{ text: 'Ada' }] } }))
        .body.id;
    const search = () => callFhir(own.admin, 'GET', 'Patient?_content=ada');
    const ids = async () => (await search()).body.entry.map(({ resource }: Body) => resource.id).toSorted();
    const entries = () => db().execute(`select from ix_words where project_id = '${own.projectId}'`);
    const all = [await add()];
    await setTextSearch(own, true);
    const early = await search();
    expectIssue(early, 503, 'transient', '_content');
    expect(early.headers.get('retry-after')).toBe('5');
    all.push(await add());
    await indexed(own.projectId);
    expect(await ids()).toEqual(all.toSorted());
    await setTextSearch(own, false);
    expectIssue(await search(), 400, 'invalid', '_content');
    all.push(await add());
    await indexed(own.projectId);
    expect(await entries()).toHaveLength(0);
    await setTextSearch(own, true);
    await indexed(own.projectId);
    expect(await ids()).toEqual(all.toSorted());
    await setTextSearch(own, false);
    await setTextSearch(own, true);
    await indexed(own.projectId);
    expect(await ids()).toEqual(all.toSorted());
    expect(await entries()).toHaveLength(3);
  });

  test('is not changed again and again while nothing is indexed', async () => {
    const own = await makeFhirProject();
    await db().execute(`insert into search_parameter (project_id, number, id, type_id, code, definition, state)
      select '${own.projectId}', n, '_content', 0, '_content', '{}', 'ended' from generate_series(1, 501) n`);
    const path = `/admin/projects/${own.projectId}/settings`;
    const body = [{ name: 'textSearch', valueBoolean: true }];
    expectIssue(
      await callApi(own.admin.authorization, 'POST', path, { body }),
      422,
      'business-rule',
      'Project.setting',
    );
  });

  test('is turned on by a PUT of the project, too', async () => {
    const own = await makeFhirProject();
    const { body } = await callFhir(own.admin, 'GET', `Project/${own.projectId}`);
    const setting = [{ name: 'textSearch', valueBoolean: true }];
    const put = await callFhir(own.admin, 'PUT', `Project/${own.projectId}`, { body: { ...body, setting } });
    expect(put.status, put.text).toBe(200);
    expect((await callFhir(own.admin, 'GET', 'Patient?_content=x')).status).toBe(503);
    await indexed(own.projectId);
    expect((await callFhir(own.admin, 'GET', 'Patient?_content=x')).status).toBe(200);
  });
});

describe('what is refused, by name', () => {
  test.each([
    [`Observation?_content=${q('metas*')}`, '_content'],
    [`Observation?_content=${q('not bone')}`, '_content'],
    [`Observation?_content=${q('(bone')}`, '_content'],
    [`Observation?_content=${q('"bone')}`, '_content'],
    ['Observation?_content=-', '_content'],
    ['Observation?_content:exact=bone', '_content:exact'],
    ['Observation?_text=', '_text'],
    [`Observation?_content=${'a '.repeat(30)}&_text=${'a '.repeat(30)}`, '_text'],
    [`Observation?_content=${'x'.repeat(1001)}`, '_content'],
    [`Observation?subject:Patient._content=${q('a or')}`, 'subject:Patient._content'],
    ['Bundle?_text=x', '_text'],
    ['ProjectMembership?_content=x', '_content'],
    [`Observation?_filter=${q('_content co "x"')}`, '_filter'],
    [`Observation?_filter=${q('subject._content co "x"')}`, '_filter'],
    ['Observation?_sort=_content', '_sort'],
  ])('%s', async (path, name) => {
    expectIssue(await callFhir(project.admin, 'GET', path), 400, 'invalid', name);
  });

  test('more parameters than a search takes: of all of them none is named', async () => {
    const answer = await callFhir(project.admin, 'GET', `Observation?${'_content=x&'.repeat(101)}`);
    expect([answer.status, answer.body.issue[0].expression]).toEqual([400, undefined]);
  });

  test('criteria of a policy', async () => {
    const body = {
      resourceType: 'AccessPolicy',
      name: 'x',
      resource: [{ resourceType: 'Observation', criteria: 'Observation?_content=bone' }],
    };
    expect((await callFhir(project.admin, 'POST', 'AccessPolicy', { body })).status).toBe(400);
  });

  test('more different words than an index takes', async () => {
    const text = Array.from({ length: 100_001 }, (_, n) => `w${n}`).join(' ');
    expectIssue(
      await callFhir(project.admin, 'POST', 'Observation', { body: observation('x', note(text)) }),
      400,
      'too-costly',
    );
  });
});
