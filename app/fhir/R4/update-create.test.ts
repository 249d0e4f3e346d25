import { beforeAll, describe, expect, test } from 'vitest';
import { type Answer, callApi } from '#lib/testing/call-api.ts';
import { callFhir, expectIssue, FHIR_BASE } from '#lib/testing/fhir/call-fhir.ts';
import { type Caller, type FhirProject, makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';

let project: FhirProject;
let admin: Caller;
beforeAll(async () => {
  project = await makeFhirProject();
  admin = project.admin;
  await allow(project);
});

async function allow({ projectId, admin }: FhirProject, on = true): Promise<void> {
  const body = [{ name: 'updateCreate', valueBoolean: on }];
  const set = await callApi(admin.authorization, 'POST', `/admin/projects/${projectId}/settings`, { body });
  expect(set.status, set.text).toBe(200);
}

const put = (path: string, body: object, headers: Record<string, string> = {}, caller = admin): Promise<Answer> =>
  callFhir(caller, 'PUT', path, { body, headers });
const basic = (id: string, more: object = {}) => ({ resourceType: 'Basic', id, code: { text: 'x' }, ...more });
let count = 0;
const freshId = () => `of.Theirs-${count++}`;

describe('where the project lets its callers choose ids', () => {
  test('a PUT to a free id creates, the next one updates; the id is found, read and in the history as any', async () => {
    const id = freshId();
    const made = await put(`Basic/${id}`, basic(id));
    expect([made.status, made.headers.get('etag'), made.headers.get('location')]).toEqual([
      201,
      'W/"1"',
      `${FHIR_BASE}/Basic/${id}/_history/1`,
    ]);
    expect((await put(`Basic/${id}`, basic(id, { author: { display: 'y' } }))).headers.get('etag')).toBe('W/"2"');
    expect((await callFhir(admin, 'GET', `Basic?_id=${id}`)).body.entry.length).toBe(1);
    const history = (await callFhir(admin, 'GET', `Basic/${id}/_history`)).body;
    expect([history.total, history.entry[1].request, history.entry[1].response.status]).toEqual([
      2,
      { method: 'PUT', url: `Basic/${id}` },
      '201 Created',
    ]);
    // Ids are case-sensitive, and another type's are its own.
    expect((await callFhir(admin, 'GET', `Basic/${id.toLowerCase()}`)).status).toBe(404);
    expect((await put(`Patient/${id}`, { resourceType: 'Patient', id })).status).toBe(201);
    expect((await callFhir(admin, 'GET', `Basic/${id}`)).body.author.display).toBe('y');
  });

  test('twenty at once make one, and the others its versions', async () => {
    for (const type of ['Basic', 'Patient']) {
      const id = freshId();
      const body = (at: number) =>
        type === 'Basic'
          ? basic(id, { author: { display: String(at) } })
          : { resourceType: type, id, name: [{ family: String(at) }] };
      const answers = await Promise.all(Array.from({ length: 20 }, (_, at) => put(`${type}/${id}`, body(at))));
      expect(answers.map(({ status }) => status).sort()).toEqual([...Array(19).fill(200), 201]);
      expect((await callFhir(admin, 'GET', `${type}/${id}/_history`)).body.total).toBe(20);
    }
  });

  test('If-None-Match: * creates only; If-Match creates nothing', async () => {
    const id = freshId();
    expectIssue(await put(`Basic/${id}`, basic(id), { 'if-match': 'W/"1"' }), 412, 'processing');
    expectIssue(await put(`Basic/${id}`, basic(id), { 'if-match': '*' }), 412, 'processing');
    const only = { 'if-none-match': '*' };
    expect((await put(`Basic/${id}`, basic(id), only)).status).toBe(201);
    expectIssue(await put(`Basic/${id}`, basic(id, { author: { display: 'z' } }), only), 412, 'processing');
    const racing = freshId();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        put(`Basic/${racing}`, basic(racing, { author: { display: `${at}` } }), only),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(412)]);
  });

  test('a deleted one comes back under its number', async () => {
    const id = freshId();
    await put(`Basic/${id}`, basic(id));
    await callFhir(admin, 'DELETE', `Basic/${id}`);
    const back = await put(`Basic/${id}`, basic(id));
    expect([back.status, back.headers.get('etag')]).toEqual([201, 'W/"3"']);
  });

  test('what is more than its resource keeps our ids', async () => {
    const missing = crypto.randomUUID();
    for (const [type, body, status] of [
      ['AccessPolicy', {}, 404],
      ['Bot', { name: 'x' }, 404],
      ['ClientApplication', { name: 'x' }, 404],
      ['Binary', { contentType: 'text/plain' }, 404],
      ['ProjectMembership', {}, 405],
      ['User', { firstName: 'x', lastName: 'y' }, 403],
      ['AuditEvent', {}, 405],
    ] as const) {
      const answer = await put(`${type}/${missing}`, { resourceType: type, id: missing, ...body });
      expect([type, answer.status]).toEqual([type, status]);
    }
  });

  test.each(['x'.repeat(65), 'a_b', '%00', '%F0%9F%98%80'])('no id that is none: %s', async (id) => {
    const answer = await put(`Basic/${id}`, basic(decodeURIComponent(id)));
    expect([400, 404]).toContain(answer.status);
  });

  test('with a condition: nothing matches and an id is given, it is created with that; 409 where that is another', async () => {
    const id = freshId();
    const identifier = [{ system: 'urn:uc', value: id }];
    const body = basic(id, { identifier });
    const made = await put(`Basic?identifier=urn:uc|${id}`, body);
    expect([made.status, made.body.id]).toEqual([201, id]);
    expect((await put(`Basic?identifier=urn:uc|${id}`, body)).status).toBe(200);
    expectIssue(await put('Basic?identifier=urn:uc|none', body), 409, 'duplicate', 'Basic.id');
    const other = basic(freshId(), { identifier });
    expectIssue(await put(`Basic?identifier=urn:uc|${id}`, other), 400, 'invalid', 'Basic.id');
  });
});

const transaction = (entry: object[]) =>
  callFhir(admin, 'POST', '', { body: { resourceType: 'Bundle', type: 'transaction', entry } });
const putEntry = (url: string, resource: object) => ({ resource, request: { method: 'PUT', url } });
const statusOf = (answer: Answer): string[] =>
  answer.body.entry.map(({ response }: { response: { status: string } }) => response.status.slice(0, 3));

describe('in a transaction', () => {
  test('those that want the same ids in opposite orders wait for one another, and all are done', async () => {
    const ids = Array.from({ length: 30 }, freshId);
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, at) => {
        const order = at % 2 === 0 ? ids : ids.toReversed();
        return transaction(order.map((id) => putEntry(`Basic/${id}`, basic(id, { author: { display: `${at}` } }))));
      }),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
    const made = answers.map((answer) => [...new Set(statusOf(answer))].join());
    expect(made.sort()).toEqual([...Array(11).fill('200'), '201']);
    for (const id of ids.slice(0, 3))
      expect((await callFhir(admin, 'GET', `Basic/${id}/_history`)).body.total).toBe(12);
  });

  test('of very many, too, with what they refer to; and who has some of them besides', async () => {
    const ids = Array.from({ length: 600 }, freshId);
    const entry = ids.map((id, at) =>
      putEntry(`Basic/${id}`, basic(id, at > 0 ? { subject: { reference: `Basic/${ids[at - 1]}` } } : {})),
    );
    const [all, some] = await Promise.all([transaction(entry), transaction(entry.slice(0, 20).reverse())]);
    expect([all.status, some.status], all.text.slice(0, 500)).toEqual([200, 200]);
    expect([...statusOf(all), ...statusOf(some)].filter((status) => status === '201')).toHaveLength(600);
  });

  test('batches and requests by themselves that want the same ids at the same time are done, too', async () => {
    const ids = Array.from({ length: 20 }, freshId);
    const bundle = (type: string, order: string[], at: number) =>
      callFhir(admin, 'POST', '', {
        body: {
          resourceType: 'Bundle',
          type,
          entry: order.map((id) => putEntry(`Basic/${id}`, basic(id, { author: { display: `${type} ${at}` } }))),
        },
      });
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, at) => {
        const order = at % 2 === 0 ? ids : ids.toReversed();
        if (at % 3 === 0) return bundle('transaction', order, at);
        if (at % 3 === 1) return bundle('batch', order, at);
        return put(`Basic/${order[at % 5]}`, basic(order[at % 5]!, { author: { display: `${at}` } }));
      }),
    );
    for (const answer of answers) {
      expect([200, 201], answer.text).toContain(answer.status);
      if (answer.body.entry) expect(new Set([...statusOf(answer), '200', '201'])).toEqual(new Set(['200', '201']));
    }
  });

  test('with a condition that nothing matches, the id of the body is taken; 409 where it is that of another', async () => {
    const id = freshId();
    const body = basic(id, { identifier: [{ system: 'urn:uc', value: id }] });
    const entry = [
      putEntry(`Basic?identifier=urn:uc|${id}`, body),
      putEntry(`Basic/${id}-of`, basic(`${id}-of`, { subject: { reference: `Basic?identifier=urn:uc|${id}` } })),
    ];
    const made = await transaction([entry[0]!]);
    expect([made.status, statusOf(made)]).toEqual([200, ['201']]);
    const again = await transaction(entry);
    expect([again.status, statusOf(again)], again.text).toEqual([200, ['200', '201']]);
    expect((await callFhir(admin, 'GET', `Basic/${id}-of`)).body.subject.reference).toBe(`Basic/${id}`);
    // Of a type that is written one by one, too.
    const url = `urn:uc:${id}`;
    const system = {
      resourceType: 'CodeSystem',
      id,
      url,
      status: 'active',
      content: 'complete',
      concept: [{ code: 'a' }],
    };
    const one = await transaction([putEntry(`CodeSystem?url=${url}`, system)]);
    expect([one.status, statusOf(one)], one.text).toEqual([200, ['201']]);
    expect((await callFhir(admin, 'GET', `CodeSystem/${id}`)).body.url).toBe(url);
    const other = await transaction([putEntry('CodeSystem?url=urn:uc:none', system)]);
    expectIssue(other, 409, 'duplicate', 'Bundle.entry[0].resource.id');
    const taken = await transaction([putEntry('Basic?identifier=urn:uc|none', body)]);
    expectIssue(taken, 409, 'duplicate', 'Bundle.entry[0].resource.id');
  });

  test('one id is chosen by one entry, and one condition is that of one', async () => {
    const [id, other] = [freshId(), freshId()];
    const [byId, chosen] = [putEntry(`Basic/${id}`, basic(id)), putEntry('Basic?identifier=urn:uc|free', basic(id))];
    for (const entry of [
      [byId, chosen],
      [chosen, byId],
      [chosen, putEntry('Basic?identifier=urn:uc|free-too', basic(id))],
      [chosen, putEntry('Basic?identifier=urn:uc|free', basic(other))],
    ])
      expectIssue(await transaction(entry), 400, 'invalid', 'Bundle.entry[1]');
    expect((await callFhir(admin, 'GET', `Basic/${id}`)).status).toBe(404);
  });

  test('If-Match creates nothing, and names its entry', async () => {
    const id = freshId();
    const entry = putEntry(`Basic/${id}`, basic(id));
    const refused = await transaction([{ ...entry, request: { ...entry.request, ifMatch: 'W/"1"' } }]);
    expectIssue(refused, 412, 'processing', 'Bundle.entry[0]');
    expect((await callFhir(admin, 'GET', `Basic/${id}`)).status).toBe(404);
  });
});

describe('a limited caller', () => {
  test('creates what their policy lets them create, and where it is nothing, there is nothing', async () => {
    const female = await project.member([{ resourceType: 'Patient', criteria: 'Patient?gender=female' }]);
    const changes = await project.member([{ resourceType: 'Patient', interaction: ['read', 'update'] }]);
    const patient = (id: string, gender: string) => ({ resourceType: 'Patient', id, gender });
    const [one, two, three] = [freshId(), freshId(), freshId()];
    expect((await put(`Patient/${one}`, patient(one, 'female'), {}, female)).status).toBe(201);
    expectIssue(await put(`Patient/${two}`, patient(two, 'male'), {}, female), 403, 'forbidden');
    expectIssue(await put(`Patient/${two}`, patient(two, 'male'), {}, changes), 404, 'not-found');
    expect((await put(`Patient/${three}`, patient(three, 'male'))).status).toBe(201);
    expectIssue(await put(`Patient/${three}`, patient(three, 'female'), {}, female), 404, 'not-found');
  });
});

test('another project has the same id for itself; one without the setting creates nothing', async () => {
  const id = freshId();
  await put(`Basic/${id}`, basic(id));
  const other = await makeFhirProject();
  expectIssue(await put(`Basic/${id}`, basic(id), {}, other.admin), 404, 'not-found');
  await allow(other);
  const theirs = await put(`Basic/${id}`, basic(id, { author: { display: 'theirs' } }), {}, other.admin);
  expect(theirs.status).toBe(201);
  expect((await callFhir(admin, 'GET', `Basic/${id}`)).body.author).toBeUndefined();
  await allow(other, false);
  const next = freshId();
  expectIssue(await put(`Basic/${next}`, basic(next), {}, other.admin), 404, 'not-found');
  expect((await put(`Basic/${id}`, basic(id), {}, other.admin)).status).toBe(200);
});

test('the setting is true or false, and metadata says what holds', async () => {
  const body = [{ name: 'updateCreate', valueString: 'yes' }];
  const set = await callApi(admin.authorization, 'POST', `/admin/projects/${project.projectId}/settings`, { body });
  expectIssue(set, 400, 'invalid');
  const [{ documentation, resource }] = (await callFhir(undefined, 'GET', 'metadata')).body.rest;
  expect(documentation).toContain('updateCreate');
  expect(new Set(resource.map(({ updateCreate }: Answer['body']) => updateCreate))).toEqual(new Set([false]));
});
