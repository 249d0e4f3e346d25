import { sql } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { watchStatements } from '#lib/infra/db/client.ts';
import type { Answer } from '#lib/testing/call-api.ts';
import { callFhir, expectIssue, FHIR_BASE } from '#lib/testing/fhir/call-fhir.ts';
import { type Caller, type FhirProject, makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';
import { db } from '#lib/testing/set-up/own-db.ts';

let project: FhirProject;
let admin: Caller;

beforeAll(async () => {
  project = await makeFhirProject();
  admin = project.admin;
});

const PATIENT = { resourceType: 'Patient', name: [{ family: 'Kreiger' }] };
const URN = 'urn:uuid:00000000-0000-4000-8000-00000000000';
const code = { text: 'weight' };

function observation(reference: string, more: object = {}) {
  return { resourceType: 'Observation', status: 'final', code, subject: { reference }, ...more };
}

function known(value: string, more: object = {}) {
  return { ...PATIENT, identifier: [{ system: 'urn:tx', value }], ...more };
}

function send(entry: unknown[], caller = admin, headers: Record<string, string> = {}): Promise<Answer> {
  return callFhir(caller, 'POST', '', { body: { resourceType: 'Bundle', type: 'transaction', entry }, headers });
}

async function entriesOf(entry: unknown[], caller = admin) {
  const { status, body, text } = await send(entry, caller);
  expect(status, text).toBe(200);
  expect(body).toMatchObject({ resourceType: 'Bundle', type: 'transaction-response' });
  expect(body.entry).toHaveLength(entry.length);
  return body.entry;
}

function statuses(entries: Answer['body'][]): string {
  return entries.map(({ response }) => response.status.slice(0, 3)).join(' ');
}

function request(method: string, url: string, more: object = {}) {
  return { method, url, ...more };
}

function post(resource: { resourceType: string } & object, fullUrl?: string, more: object = {}) {
  return { fullUrl, resource, request: request('POST', resource.resourceType, more) };
}

async function makePatient(body: object = PATIENT): Promise<Answer['body']> {
  return (await callFhir(admin, 'POST', 'Patient', { body })).body;
}

async function countOf(search: string, type = 'Patient'): Promise<number> {
  return (await callFhir(admin, 'GET', `${type}?${search}&_summary=count`)).body.total;
}

describe('a transaction', () => {
  test('does deletes, creates, updates and reads in that order, and answers in the order of its entries', async () => {
    const changed = await makePatient(known('order'));
    const gone = await makePatient(known('order-gone'));
    const patch = Buffer.from(JSON.stringify([{ op: 'add', path: '/active', value: false }])).toString('base64');
    const patched = await makePatient();
    const answers = await entriesOf([
      { request: request('GET', 'Patient?identifier=urn:tx|order,urn:tx|order-gone,urn:tx|order-new') },
      { request: request('GET', `Patient/${changed.id}`) },
      { request: request('GET', `Patient/${changed.id}/_history`) },
      {
        request: request('PUT', `Patient/${changed.id}`),
        resource: { ...known('order'), id: changed.id, active: true },
      },
      {
        request: request('PATCH', `/Patient/${patched.id}`),
        resource: { resourceType: 'Binary', contentType: 'application/json-patch+json', data: patch },
      },
      post(known('order-new')),
      { request: request('DELETE', `Patient/${gone.id}`) },
      { request: request('POST', 'Patient/_search?identifier=urn:tx|order-new') },
      { request: request('HEAD', `Patient/${changed.id}`) },
    ]);
    expect(statuses(answers)).toBe('200 200 200 200 200 201 200 200 200');
    const [found, read, history, updated, , created, deleted, searched] = answers;
    expect(found.resource.entry.map(({ resource }: Answer['body']) => resource.id).sort()).toEqual(
      [changed.id, created.resource.id].sort(),
    );
    expect([read.resource.active, read.response.etag, history.resource.total]).toEqual([true, 'W/"2"', 2]);
    expect(updated).toMatchObject({ fullUrl: `${FHIR_BASE}/Patient/${changed.id}`, response: { etag: 'W/"2"' } });
    expect(updated.response.location).toBeUndefined();
    expect(created.response.location).toBe(`${FHIR_BASE}/Patient/${created.resource.id}/_history/1`);
    expect(deleted).toEqual({ response: { status: '200 OK', outcome: expect.objectContaining({ id: 'ok' }) } });
    expect(searched.resource.entry).toHaveLength(1);
    const stored = await callFhir(admin, 'GET', `Patient/${changed.id}`);
    expect(stored.headers.get('last-modified')).toBe(new Date(updated.response.lastModified).toUTCString());
    expect((await callFhir(admin, 'GET', `Patient/${changed.id}`)).body).toEqual(updated.resource);
    expect((await callFhir(admin, 'GET', `Patient/${created.resource.id}`)).body).toEqual(created.resource);
    expect((await callFhir(admin, 'GET', `Patient/${gone.id}`)).status).toBe(410);
    expect((await callFhir(admin, 'GET', `Patient/${gone.id}/_history`)).body.entry[0].request.method).toBe('DELETE');
  });

  test('the history of a type, or of all, tells of what the transaction itself has done', async () => {
    const answers = await entriesOf([
      { request: request('GET', 'Patient/_history?_count=1') },
      { request: request('GET', '_history?_count=1') },
      post(known('history')),
    ]);
    const { id } = answers[2].resource;
    const told = answers.slice(0, 2).map(({ resource }: Answer['body']) => resource.entry[0].resource.id);
    expect(told).toEqual([id, id]);
  });

  test('is all or nothing: what fails is told with its entry, and nothing of the rest is there', async () => {
    const there = await makePatient(known('all'));
    const other = await makePatient();
    const failing: [unknown, number, string][] = [
      [post({ ...PATIENT, birthDate: 'x' } as never), 400, '.resource.birthDate'],
      [post({ resourceType: 'Nonsense' }), 404, ''],
      [{ request: request('PUT', 'Patient/nobody'), resource: { ...PATIENT, id: 'nobody' } }, 404, ''],
      [{ request: request('GET', 'Patient/nobody') }, 404, ''],
      [{ request: request('GET', 'Patient?nonsense=1') }, 400, '.request.url'],
      [
        {
          request: request('PUT', `Patient/${there.id}`, { ifMatch: 'W/"9"' }),
          resource: { ...PATIENT, id: there.id },
        },
        412,
        '',
      ],
      [{ request: request('DELETE', `Patient/${there.id}`, { ifMatch: 'W/"9"' }) }, 412, ''],
      [
        { request: request('PUT', `Patient/${there.id}`, { ifMatch: 'x' }), resource: { ...PATIENT, id: there.id } },
        400,
        '.request',
      ],
      [{ request: request('PUT', `Patient/${there.id}`), resource: { ...PATIENT, id: 'other' } }, 400, '.resource.id'],
      [{ request: request('PATCH', 'Patient?identifier=urn:tx|none'), resource: { resourceType: 'Binary' } }, 404, ''],
      [{ request: request('POST', 'Patient/$validate'), resource: PATIENT }, 400, '.request.url'],
      [{ request: request('POST', ''), resource: { resourceType: 'Bundle', type: 'batch' } }, 400, '.request.url'],
      [{ request: request('POST', '/'), resource: { resourceType: 'Bundle', type: 'batch' } }, 405, '.request.url'],
      [{ request: request('POST', 'Patient') }, 400, '.resource'],
      [{}, 400, '.request'],
      [post(observation(`${URN}9`)), 400, '.resource.subject.reference'],
      [post(observation('Patient?identifier=urn:tx|none')), 412, '.resource.subject.reference'],
      [post(observation('Patient?nonsense=1')), 400, '.request.url'],
    ];
    for (const [entry, status, place] of failing) {
      const answer = await send([post(known('nothing')), entry, { request: request('DELETE', `Patient/${other.id}`) }]);
      expect([answer.status, answer.body.issue?.[0].expression?.[0]], answer.text).toEqual([
        status,
        `Bundle.entry[1]${place}`,
      ]);
    }
    expect((await callFhir(admin, 'GET', `Patient/${other.id}`)).status).toBe(200);
    expect(await countOf('identifier=urn:tx|nothing')).toBe(0);
    expect((await callFhir(admin, 'GET', `Patient/${there.id}`)).body.meta.versionId).toBe('1');
  });

  test('refuses two entries about one resource, or with one name', async () => {
    const { id } = await makePatient(known('twice'));
    const put = { request: request('PUT', `Patient/${id}`), resource: { ...PATIENT, id } };
    const pairs = [
      [put, put],
      [put, { request: request('DELETE', `Patient/${id}`) }],
      [put, { request: request('DELETE', 'Patient?identifier=urn:tx|twice') }],
      [{ request: request('PUT', 'Patient?identifier=urn:tx|twice'), resource: known('twice') }, put],
      [
        post(known('fresh'), undefined, { ifNoneExist: 'identifier=urn:tx|fresh' }),
        post(known('fresh'), undefined, { ifNoneExist: '?identifier=urn:tx|fresh' }),
      ],
    ];
    for (const pair of pairs) expectIssue(await send(pair), 400, 'invalid', 'Bundle.entry[1]');
    expectIssue(
      await send([post(PATIENT, `${URN}1`), post(PATIENT, `${URN}1`)]),
      400,
      'invalid',
      'Bundle.entry[1].fullUrl',
    );
    expect((await entriesOf([put]))[0].response.etag).toBe('W/"2"');
  });

  test('without entries is 200; one that only reads changes nothing', async () => {
    expect((await send([])).body).toEqual({ resourceType: 'Bundle', type: 'transaction-response' });
    const { id } = await makePatient();
    expect(statuses(await entriesOf([{ request: request('GET', `Patient/${id}`) }]))).toBe('200');
  });

  test('an update of nothing keeps the version, a deletion of nothing is done, and a deleted one comes back', async () => {
    const same = await makePatient();
    const back = await makePatient();
    await callFhir(admin, 'DELETE', `Patient/${back.id}`);
    const answers = await entriesOf([
      { request: request('PUT', `Patient/${same.id}`), resource: { ...PATIENT, id: same.id } },
      { request: request('DELETE', 'Patient/nobody') },
      { request: request('DELETE', 'Patient?identifier=urn:tx|nobody') },
      { request: request('PUT', `Patient/${back.id}`), resource: { ...PATIENT, id: back.id } },
    ]);
    expect(statuses(answers)).toBe('200 200 200 201');
    expect([answers[0].response.etag, answers[3].response.etag]).toEqual(['W/"1"', 'W/"3"']);
  });

  test('takes types with rules of their own, and takes them back when it fails', async () => {
    const bot = { resourceType: 'Bot', name: 'In a transaction' };
    const policy = { resourceType: 'AccessPolicy', name: 'tx', resource: [{ resourceType: 'Patient' }] };
    const task = { resourceType: 'Task', status: 'draft', intent: 'plan', owner: { reference: `${URN}2` } };
    const basic = { resourceType: 'Basic', code, author: { reference: `${URN}1` }, subject: { reference: `${URN}1` } };
    const answers = await entriesOf([post(basic), post(bot, `${URN}1`), post(policy)]);
    expect(statuses(answers)).toBe('201 201 201');
    expect(answers[0].resource.subject.reference).toBe(`Bot/${answers[1].resource.id}`);
    expectIssue(await send([post(bot, `${URN}1`), post(task)]), 400, 'invalid');
    expect(await countOf('name=In a transaction', 'Bot')).toBe(1);
  });

  test('a patient who is somebody’s profile is not deleted under them', async () => {
    const { body } = await callFhir(admin, 'POST', 'Practitioner', {
      body: { ...PATIENT, resourceType: 'Practitioner' },
    });
    const answers = await entriesOf([{ request: request('DELETE', `Practitioner/${body.id}`) }]);
    expect(statuses(answers)).toBe('200');
  });
});

describe('names of the Bundle', () => {
  test('become references wherever they stand: forward, circular, contained, in extensions, links and attachments', async () => {
    const [a, b, oid] = [`${URN}a`, `${URN}b`, 'urn:oid:1.2.3.4'];
    const patient = {
      ...PATIENT,
      identifier: [{ system: 'urn:ietf:rfc:3986', value: a }],
      text: {
        status: 'generated',
        div: `<div xmlns="http://www.w3.org/1999/xhtml"><a href="${b}">x</a> <img src='${a.toUpperCase().replace('URN:UUID', 'urn:uuid')}' alt="${b}"/></div>`,
      },
      extension: [
        { url: 'urn:x', valueReference: { reference: b } },
        { url: 'urn:y', valueUri: b },
        { url: 'urn:z', extension: [{ url: 'urn:deep', valueUrl: a }] },
      ],
      _birthDate: { extension: [{ url: 'urn:p', valueReference: { reference: b } }] },
      photo: [{ url: b }],
      contained: [{ resourceType: 'Organization', id: 'c', name: 'C', partOf: { reference: oid } }],
      managingOrganization: { reference: '#c' },
      link: [{ other: { reference: a }, type: 'seealso' }],
    };
    const answers = await entriesOf([
      post(patient, a),
      post(
        observation(a.toUpperCase().replace('URN:UUID', 'urn:uuid'), {
          hasMember: [{ reference: b }],
          instantiates: undefined,
        }),
        b,
      ),
      post({ resourceType: 'Organization', name: 'O' } as never, oid),
      post({
        resourceType: 'Library',
        status: 'draft',
        type: code,
        url: 'urn:lib',
        relatedArtifact: [{ type: 'depends-on', resource: a }],
      } as never),
    ]);
    const [pat, obs, org, lib] = answers.map(({ resource }: Answer['body']) => resource);
    const [p, o] = [`Patient/${pat.id}`, `Observation/${obs.id}`];
    expect(pat).toMatchObject({
      identifier: [{ value: a }],
      text: { div: expect.stringContaining(`<a href="${o}">x</a> <img src='${p}' alt="${b}"/>`) },
      extension: [{ valueReference: { reference: o } }, { valueUri: o }, { extension: [{ valueUrl: p }] }],
      _birthDate: { extension: [{ valueReference: { reference: o } }] },
      photo: [{ url: o }],
      contained: [{ partOf: { reference: `Organization/${org.id}` } }],
      link: [{ other: { reference: p } }],
    });
    expect(obs).toMatchObject({ subject: { reference: p }, hasMember: [{ reference: o }] });
    expect(lib.relatedArtifact[0].resource).toBe(p);
    expect(await countOf(`subject=${p}`, 'Observation')).toBe(1);
  });

  test('are those of what a condition finds, of an update, and of another server', async () => {
    const there = await makePatient(known('named'));
    const elsewhere = 'http://elsewhere.test/fhir';
    const answers = await entriesOf([
      post(known('named'), `${URN}1`, { ifNoneExist: 'identifier=urn:tx|named' }),
      post(observation(`${URN}1`)),
      {
        fullUrl: `${URN}2`,
        request: request('PUT', 'Patient?identifier=urn:tx|named-new'),
        resource: known('named-new'),
      },
      post(observation(`${URN}2`)),
      post(PATIENT, `${elsewhere}/Patient/7`),
      post(observation('Patient/7'), `${elsewhere}/Observation/7`),
      post(observation(`${elsewhere}/Patient/7`)),
    ]);
    expect(statuses(answers)).toBe('200 201 201 201 201 201 201');
    const [, first, made, second, theirs, third, fourth] = answers.map(({ resource }: Answer['body']) => resource);
    expect(first.subject.reference).toBe(`Patient/${there.id}`);
    expect(second.subject.reference).toBe(`Patient/${made.id}`);
    expect([third.subject.reference, fourth.subject.reference]).toEqual(Array(2).fill(`Patient/${theirs.id}`));
  });

  test('a name may stand in a reference to the wrong type, which is refused', async () => {
    const answer = await send([
      post(PATIENT, `${URN}1`),
      post(observation('Patient/1', { encounter: { reference: `${URN}1` } })),
    ]);
    expectIssue(answer, 400, 'value', 'Bundle.entry[1].resource.encounter.reference');
  });
});

describe('conditional references', () => {
  test('mean the one that is there, or that the transaction makes, once', async () => {
    const there = await makePatient(known('ref'));
    const answers = await entriesOf([
      post(observation('Patient?identifier=urn:tx|ref')),
      post(observation('Patient?identifier=urn:tx|ref-new')),
      post(known('ref-new')),
      post(observation('Patient?identifier=urn:tx|ref')),
    ]);
    expect(answers.map(({ resource }: Answer['body']) => resource.subject?.reference)).toEqual([
      `Patient/${there.id}`,
      `Patient/${answers[2].resource.id}`,
      undefined,
      `Patient/${there.id}`,
    ]);
  });

  test('that mean several are 412; so is one that the transaction deletes', async () => {
    const { id } = await makePatient(known('several'));
    const wanted = post(observation('Patient?identifier=urn:tx|several'));
    const place = 'Bundle.entry[0].resource.subject.reference';
    expectIssue(await send([wanted, post(known('several'))]), 412, 'multiple-matches', place);
    expectIssue(await send([wanted, { request: request('DELETE', `Patient/${id}`) }]), 412, 'processing', place);
    const moved = { request: request('PUT', `Patient/${id}`), resource: { ...known('elsewhere'), id } };
    expectIssue(await send([wanted, moved]), 412, 'processing', place);
    expect(statuses(await entriesOf([wanted]))).toBe('201');
  });

  test('find only what the caller may find', async () => {
    await makePatient(known('hidden', { gender: 'male' }));
    const limited = await project.member([
      { resourceType: 'Patient', criteria: 'Patient?gender=female' },
      { resourceType: 'Observation' },
    ]);
    expectIssue(await send([post(observation('Patient?identifier=urn:tx|hidden'))], limited), 412, 'processing');
    const blind = await project.member([{ resourceType: 'Observation' }]);
    expectIssue(await send([post(observation('Patient?identifier=urn:tx|hidden'))], blind), 403, 'forbidden');
  });
});

describe('many at once', () => {
  test('500 entries are some statements, with an audit row each', async () => {
    const entry = Array.from({ length: 500 }, (_, at) =>
      at % 2 ? post(observation(`urn:uuid:many-${at - 1}`)) : post(known(`many-${at}`), `urn:uuid:many-${at}`),
    );
    const texts: string[] = [];
    // Refusals of the tests before are noted in the background.
    const note = (text: string) => void (text.includes('access_refusal') || texts.push(text));
    const stop = watchStatements(note);
    const made = await entriesOf(entry);
    stop();
    // In a test nothing is cached: what a project's own search parameters and subscriptions are is asked anew each time.
    expect(texts.length).toBeLessThan(16);
    const puts = made.map(({ resource }: Answer['body']) => {
      const { meta: _, ...rest } = resource;
      return { request: request('PUT', `${rest.resourceType}/${rest.id}`), resource: { ...rest, language: 'en' } };
    });
    texts.length = 0;
    const again = watchStatements(note);
    const changed = await entriesOf(puts);
    again();
    // On a cluster some of them are asked of the node first.
    expect(texts.length).toBeLessThan(25);
    expect(new Set(changed.map(({ response }: Answer['body']) => response.etag))).toEqual(new Set(['W/"2"']));
    expect(await countOf('identifier=urn:tx|many-0&_lastUpdated=gt2020')).toBe(1);
    const upserts = made
      .filter(({ resource }: Answer['body']) => resource.resourceType === 'Patient')
      .map(({ resource }: Answer['body']) => {
        const { meta: _, id: __, ...rest } = resource;
        return {
          request: request('PUT', `Patient?identifier=urn:tx|${rest.identifier[0].value}`),
          resource: { ...rest, active: true },
        };
      });
    texts.length = 0;
    const third = watchStatements(note);
    const upserted = await entriesOf(upserts);
    third();
    // On a cluster some of them are asked of the node first.
    expect(texts.length).toBeLessThan(25);
    expect(new Set(upserted.map(({ response }: Answer['body']) => response.etag))).toEqual(new Set(['W/"3"']));
    const deleted = made.map(({ resource }: Answer['body']) => ({
      request: request('DELETE', `${resource.resourceType}/${resource.id}`),
    }));
    await entriesOf(deleted);
    expect(await countOf('name=kreiger&identifier=urn:tx|many-0')).toBe(0);
    const target = `Patient/${made[0].resource.id}`;
    const audit = await db().execute(sql`select action from audit_event where target = ${target} order by at, id`);
    expect(audit.map(({ action }) => action)).toEqual([
      'resource.create',
      'resource.update',
      'resource.update',
      'resource.delete',
    ]);
    const history = await callFhir(admin, 'GET', `${target}/_history`);
    expect(history.body.entry.map(({ request: { method } }: Answer['body']) => method)).toEqual([
      'DELETE',
      'PUT',
      'PUT',
      'POST',
    ]);
    const left = await db().execute(
      sql`select 1 from ix_string where project_id = ${project.projectId} and id = ${made[0].resource.id}`,
    );
    expect(left).toHaveLength(0);
  });

  test('twenty equal conditional creates at once make one', async () => {
    const entry = [
      post(known('race'), `${URN}1`, { ifNoneExist: 'identifier=urn:tx|race' }),
      post(known('race-two'), `${URN}2`, { ifNoneExist: 'identifier=urn:tx|race-two' }),
      post(observation(`${URN}1`)),
    ];
    const answers = await Promise.all(Array.from({ length: 20 }, (_, at) => send(at % 2 ? entry : entry.toReversed())));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect([await countOf('identifier=urn:tx|race'), await countOf('identifier=urn:tx|race-two')]).toEqual([1, 1]);
  });

  test('transactions that change the same resources in other orders all succeed', async () => {
    const some = await entriesOf(Array.from({ length: 10 }, () => post(PATIENT)));
    const ids = some.map(({ resource }: Answer['body']) => resource.id);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, at) => {
        const puts = ids.map((id: string) => ({
          request: request('PUT', `Patient/${id}`),
          resource: { ...PATIENT, id, birthDate: `200${at}` },
        }));
        return send(at % 2 ? puts : puts.toReversed());
      }),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    for (const id of ids) expect((await callFhir(admin, 'GET', `Patient/${id}`)).body.meta.versionId).toBe('11');
  });
});

test('transactions that delete what others change, in whatever order and by whatever verb, wait for one another', async () => {
  const made = await entriesOf(
    Array.from({ length: 12 }, () => ({ resource: PATIENT, request: { method: 'POST', url: 'Patient' } })),
  );
  const ids = made.map(({ response }: { response: { location: string } }) => response.location.split('/').at(-3)!);
  const patch = [{ op: 'add', path: '/birthDate', value: '2001-01-01' }];
  const data = Buffer.from(JSON.stringify(patch)).toString('base64');
  const toEntry = (id: string, kind: number) =>
    [
      { resource: { ...PATIENT, id, gender: 'other' }, request: { method: 'PUT', url: `Patient/${id}` } },
      { request: { method: 'DELETE', url: `Patient/${id}` } },
      {
        resource: { resourceType: 'Binary', contentType: 'application/json-patch+json', data },
        request: { method: 'PATCH', url: `Patient/${id}` },
      },
    ][kind]!;
  const answers = await Promise.all(
    Array.from({ length: 16 }, (_, at) => {
      const order = at % 2 === 0 ? ids : ids.toReversed();
      return send(order.map((id: string, place: number) => toEntry(id, (place + at) % 3)));
    }),
  );
  // A PATCH of what another has deleted is 410, and nothing else goes wrong.
  for (const { status, text } of answers) expect([200, 410], text).toContain(status);
});

test('reads of a transaction that would not fit into one answer are refused by name, and each has the time of a search', async () => {
  const text = 'x'.repeat(1_000_000);
  const made = await callFhir(admin, 'POST', 'Basic', { body: { resourceType: 'Basic', code: { text } } });
  const read = { request: request('GET', `Basic/${made.body.id}`) };
  const texts: string[] = [];
  const stop = watchStatements((statement) => texts.push(statement));
  expect((await send([read])).status).toBe(200);
  stop();
  expect(texts.filter((statement) => statement.includes("'statement_timeout', '30000', true"))).toHaveLength(1);
  expectIssue(await send(Array(80).fill(read)), 400, 'too-costly', 'Bundle.entry[68]');
});

test('a condition goes over references, as it does by itself; one of which a reference is made says that it cannot', async () => {
  const value = 'chained';
  const [, made] = await entriesOf([post(known(value), `${URN}1`), post(observation(`${URN}1`))]);
  const url = `Observation?subject:Patient.identifier=urn:tx|${value}`;
  const body = { ...observation(`Patient?identifier=urn:tx|${value}`), issued: '2020-01-01T00:00:00Z' };
  const [updated] = await entriesOf([{ request: request('PUT', url), resource: body }]);
  expect(updated.resource).toMatchObject({ id: made.resource.id, issued: body.issued });
  const [same] = await entriesOf([post(observation('Patient/x'), undefined, { ifNoneExist: url })]);
  expect([same.response.status, same.resource.id]).toEqual(['200 OK', made.resource.id]);
  const referring = `Patient?_has:Observation:subject:_id=${made.resource.id}`;
  expectIssue(await send([post(observation(referring))]), 400, 'invalid');
  const [deleted] = await entriesOf([{ request: request('DELETE', url) }]);
  expect(deleted.response.status).toBe('200 OK');
  expect((await callFhir(admin, 'GET', `Observation/${made.resource.id}`)).status).toBe(410);
});
