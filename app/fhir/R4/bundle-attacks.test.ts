import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Answer } from '#lib/testing/call-api.ts';
import { callFhir, expectIssue, FHIR_BASE } from '#lib/testing/fhir/call-fhir.ts';
import { type Caller, type FhirProject, makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';

let project: FhirProject;
let admin: Caller;

beforeAll(async () => {
  project = await makeFhirProject();
  admin = project.admin;
});

const PATIENT = { resourceType: 'Patient', name: [{ family: 'Attack' }] };
const URN = 'urn:uuid:00000000-0000-4000-8000-00000000000';

function send(type: string, entry: unknown, caller = admin, headers: Record<string, string> = {}): Promise<Answer> {
  return callFhir(caller, 'POST', '', { body: { resourceType: 'Bundle', type, entry }, headers });
}

/** 200, or a 4xx that says why; of a batch, each of its answers likewise. */
function expectSound({ status, body, text }: Answer): void {
  expect(status, text.slice(0, 500)).toBeLessThan(500);
  if (status !== 200) expect([body.resourceType, body.issue.length > 0]).toEqual(['OperationOutcome', true]);
  for (const { response } of body.entry ?? []) {
    expect(Number(response.status.slice(0, 3)), JSON.stringify(response)).toBeLessThan(500);
    if (response.status >= '4') expect(response.outcome.resourceType).toBe('OperationOutcome');
  }
}

describe('whatever is sent', () => {
  const text = fc.oneof(
    fc.constantFrom(
      '',
      `${URN}1`,
      `${URN}2`,
      'Patient',
      'Patient/1',
      `${FHIR_BASE}/Patient/1`,
      'Patient?identifier=a|b',
      'Patient?_id=1',
      '#',
      '?',
      '/',
      '//',
      '%',
      'Observation?subject=Patient/1',
      'null',
      '$x',
      'Bot/1/$execute',
      '_history',
      'metadata',
      'W/"1"',
      '*',
    ),
    fc.string({ unit: 'binary', maxLength: 8 }),
  );
  const junk = fc.oneof(
    text,
    fc.constant(null),
    fc.integer(),
    fc.boolean(),
    fc.constant([]),
    fc.constant({}),
    fc.constant([null]),
  );
  const reference = fc.record({ reference: fc.oneof(text, junk) }, { requiredKeys: [] });
  const resource = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record(
        {
          resourceType: fc.constantFrom(
            'Patient',
            'Observation',
            'Bundle',
            'Binary',
            'Bot',
            'AccessPolicy',
            'Parameters',
            'Nonsense',
            'toString',
          ),
          id: text,
          subject: reference,
          link: fc.array(fc.record({ other: reference, type: fc.constant('seealso') }), { maxLength: 2 }),
          contained: fc.array(fc.record({ resourceType: fc.constant('Patient'), id: text })),
          text: fc.record({ status: fc.constant('generated'), div: text }),
          meta: junk,
          _birthDate: junk,
          extension: fc.array(fc.record({ url: text, valueUri: text })),
        },
        { requiredKeys: [] },
      ),
    },
    { weight: 1, arbitrary: junk },
  );
  const request = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record(
        {
          method: fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'),
          url: text,
          ifNoneExist: text,
          ifMatch: text,
          ifNoneMatch: text,
          ifModifiedSince: text,
        },
        { requiredKeys: ['method', 'url'] },
      ),
    },
    { weight: 1, arbitrary: junk },
  );
  const entry = fc.oneof(
    { weight: 8, arbitrary: fc.record({ fullUrl: fc.oneof(text, junk), request, resource }, { requiredKeys: [] }) },
    { weight: 1, arbitrary: junk },
  );

  test('the answer is a Bundle or a 4xx with an outcome', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('batch', 'transaction'),
        fc.oneof(fc.array(entry, { maxLength: 4 }), junk),
        async (type, entries) => {
          expectSound(await send(type, entries));
        },
      ),
      { numRuns: 300 },
    );
  });

  test('a million characters, ten thousand entries and rings of names are answered soon', async () => {
    const long = 'x'.repeat(1_000_000);
    const ring = Array.from({ length: 200 }, (_, at) => ({
      fullUrl: `urn:uuid:ring-${at}`,
      request: { method: 'POST', url: 'Patient' },
      resource: { ...PATIENT, link: [{ type: 'seealso', other: { reference: `urn:uuid:ring-${(at + 1) % 200}` } }] },
    }));
    const post = (more: object, asked: object = {}) => [
      { request: { method: 'POST', url: 'Patient', ...asked }, resource: { ...PATIENT, ...more } },
    ];
    const conditions = Array.from({ length: 300 }, (_, at) => ({
      request: {
        method: 'POST',
        url: 'Patient',
        ifNoneExist: `birthdate=19${10 + (at % 90)}-01-${10 + (at % 15)}&name=n${at}`,
      },
      resource: PATIENT,
    }));
    for (const type of ['batch', 'transaction']) {
      for (const entries of [
        post({}, { url: long }),
        post({}, { ifNoneExist: `identifier=${long}` }),
        post({ name: [{ family: long }] }),
        post({ link: [{ type: 'seealso', other: { reference: `Patient?name=${long}` } }] }),
        post({ link: [{ type: 'seealso', other: { reference: `urn:uuid:${long}` } }] }),
        post({
          text: {
            status: 'generated',
            div: `<div xmlns="http://www.w3.org/1999/xhtml">${'<a href="'.repeat(50_000)}</div>`,
          },
        }),
        [{ fullUrl: long, request: { method: 'POST', url: 'Patient' }, resource: PATIENT }],
        Array.from({ length: 10_000 }, () => post({})[0]),
        Array.from({ length: 10_000 }, () => null),
        ring,
      ]) {
        expectSound(await send(type, entries));
      }
    }
    const refused = await send('transaction', conditions);
    expect([refused.status, refused.body.issue[0].code]).toEqual([422, 'too-costly']);
    expect((await send('transaction', ring)).status).toBe(200);
  });
});

test('an entry has no more values than a resource by itself, but for a code system', async () => {
  const x = Array.from({ length: 250_001 }, () => 1);
  const entries = (resource: object) =>
    [PATIENT, resource].map((one) => {
      const { resourceType: url } = one as typeof PATIENT;
      return { request: { method: 'POST', url }, resource: one };
    });
  for (const type of ['batch', 'transaction']) {
    expectIssue(await send(type, entries({ ...PATIENT, x })), 400, 'too-costly', 'Bundle.entry[1]');
  }
  const judged = await send('transaction', entries({ resourceType: 'CodeSystem', x }));
  expectIssue(judged, 400, 'structure', 'Bundle.entry[1].resource.x');
});

describe('a caller', () => {
  const RULES = [
    [],
    [{ resourceType: 'Patient', readonly: true }],
    [{ resourceType: 'Patient', criteria: 'Patient?gender=female' }],
    [{ resourceType: 'Patient', interaction: ['create' as const] }, { resourceType: 'Observation' }],
    [{ resourceType: 'Patient', interaction: ['update' as const, 'read' as const] }],
    [{ resourceType: 'Patient', interaction: ['delete' as const, 'search' as const] }],
    [
      { resourceType: '*', interaction: ['read' as const, 'search' as const] },
      { resourceType: 'Patient', criteria: 'Patient?gender=male', interaction: ['update' as const] },
    ],
  ];

  /** Of each there is a fresh one for each way in which it is asked. */
  async function requests() {
    const make = async (gender: string) =>
      (
        await callFhir(admin, 'POST', 'Patient', {
          body: { ...PATIENT, gender, identifier: [{ system: 'urn:at', value: `${Math.random()}` }] },
        })
      ).body;
    const [female, male, theirs] = [await make('female'), await make('male'), await make('female')];
    const stranger = await makeFhirProject();
    const { body: foreign } = await callFhir(stranger.admin, 'POST', 'Patient', { body: PATIENT });
    const patch = Buffer.from(JSON.stringify([{ op: 'add', path: '/active', value: true }])).toString('base64');
    const asked: { method: string; url: string; resource?: object; ifNoneExist?: string }[] = [];
    for (const one of [female, male, foreign, { ...PATIENT, id: 'nobody' }]) {
      const { meta: _, ...resource } = one;
      asked.push(
        { method: 'GET', url: `Patient/${one.id}` },
        { method: 'GET', url: `Patient/${one.id}/_history` },
        { method: 'GET', url: `Patient/${one.id}/_history/1` },
        { method: 'GET', url: `Patient?_id=${one.id}` },
        { method: 'PUT', url: `Patient/${one.id}`, resource: { ...resource, active: true } },
        { method: 'PUT', url: `Patient/${one.id}`, resource: { ...resource, gender: 'other' } },
        {
          method: 'PATCH',
          url: `Patient/${one.id}`,
          resource: { resourceType: 'Binary', contentType: 'application/json-patch+json', data: patch },
        },
        { method: 'DELETE', url: `Patient/${one.id}` },
      );
    }
    const condition = `identifier=urn:at|${theirs.identifier[0].value}`;
    asked.push(
      { method: 'POST', url: 'Patient', resource: { ...PATIENT, gender: 'female' } },
      { method: 'POST', url: 'Patient', resource: { ...PATIENT, gender: 'male' } },
      { method: 'POST', url: 'Patient', resource: theirs, ifNoneExist: condition },
      { method: 'PUT', url: `Patient?${condition}`, resource: { ...theirs, meta: undefined, active: true } },
      { method: 'DELETE', url: `Patient?${condition}` },
      { method: 'POST', url: 'AccessPolicy', resource: { resourceType: 'AccessPolicy', name: 'x' } },
      {
        method: 'POST',
        url: 'Observation',
        resource: { resourceType: 'Observation', status: 'final', code: { text: 'x' } },
      },
      { method: 'GET', url: 'User' },
      { method: 'GET', url: 'ProjectMembership' },
      { method: 'DELETE', url: `ProjectMembership/${admin.membershipId}` },
    );
    return asked;
  }

  const single = async (
    caller: Caller,
    { method, url, resource, ifNoneExist }: Awaited<ReturnType<typeof requests>>[number],
    headers = {},
  ) => {
    const isPatch = method === 'PATCH';
    const body = isPatch ? Buffer.from((resource as { data: string }).data, 'base64').toString() : resource;
    const more = {
      ...(ifNoneExist && { 'if-none-exist': ifNoneExist }),
      ...(isPatch && { 'content-type': 'application/json-patch+json' }),
    };
    const answer = await callFhir(caller, method, url, { body, headers: { ...headers, ...more } });
    return [answer.status, answer.body?.entry?.length];
  };

  const bundled = async (
    type: string,
    caller: Caller,
    { resource, ...asked }: Awaited<ReturnType<typeof requests>>[number],
    headers = {},
  ) => {
    const answer = await send(type, [{ request: asked, resource }], caller, headers);
    if (answer.status !== 200) return [answer.status, undefined];
    const [{ response, resource: found }] = answer.body.entry;
    return [Number(response.status.slice(0, 3)), found?.entry?.length];
  };

  test.each(RULES.map((rules) => [JSON.stringify(rules), rules] as const))(
    'with %s comes as far with a Bundle as without',
    async (_name, rules) => {
      const caller = await project.member(rules);
      const [alone, batched, transacted] = [await requests(), await requests(), await requests()];
      for (const [at, asked] of alone.entries()) {
        const expected = await single(caller, asked);
        const name = `${asked.method} ${asked.url} ${asked.ifNoneExist ?? ''}`;
        expect(await bundled('batch', caller, batched[at]!), `batch ${name}`).toEqual(expected);
        expect(await bundled('transaction', caller, transacted[at]!), `transaction ${name}`).toEqual(expected);
      }
    },
  );

  test('on behalf of somebody has no more than these', async () => {
    const limited = await project.member([{ resourceType: 'Patient', criteria: 'Patient?gender=female' }]);
    const headers = { 'x-medplum-on-behalf-of': `ProjectMembership/${limited.membershipId}` };
    const [alone, batched, transacted] = [await requests(), await requests(), await requests()];
    for (const [at, asked] of alone.entries()) {
      const expected = await single(admin, asked, headers);
      expect(await bundled('batch', admin, batched[at]!, headers), `batch ${asked.method} ${asked.url}`).toEqual(
        expected,
      );
      expect(
        await bundled('transaction', admin, transacted[at]!, headers),
        `transaction ${asked.method} ${asked.url}`,
      ).toEqual(expected);
    }
    const answer = await send(
      'transaction',
      [{ request: { method: 'POST', url: 'Patient' }, resource: { ...PATIENT, gender: 'female' } }],
      admin,
      { ...headers, 'x-medplum': 'extended' },
    );
    expect(answer.body.entry[0].resource.meta).toMatchObject({
      author: { reference: admin.profile },
      onBehalfOf: { reference: limited.profile },
    });
  });
});

test('a transaction beside deletions of what it changes does all of it, or says why not', async () => {
  for (let round = 0; round < 10; round += 1) {
    const { body } = await callFhir(admin, 'POST', 'Patient', { body: PATIENT });
    const [, transaction] = await Promise.all([
      callFhir(admin, 'DELETE', `Patient/${body.id}`),
      send('transaction', [
        { request: { method: 'PUT', url: `Patient/${body.id}` }, resource: { ...PATIENT, id: body.id, active: true } },
        { request: { method: 'POST', url: 'Basic' }, resource: { resourceType: 'Basic', code: { text: body.id } } },
      ]),
    ]);
    expectSound(transaction);
    const { body: found } = await callFhir(admin, 'GET', `Patient/${body.id}/_history`);
    const versions = found.entry.map(({ response }: Answer['body']) => response.etag);
    expect(new Set(versions).size).toBe(versions.length);
  }
});
