import { gzipSync } from 'node:zlib';
import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { auditEvent } from '#lib/infra/db/schema/operations.ts';
import { callFhir, expectIssue, FHIR_BASE } from '#lib/testing/fhir/call-fhir.ts';
import { exported, make, observationOf } from '#lib/testing/fhir/exports.ts';
import { makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';
import {
  begin,
  finish,
  importOf,
  letChooseIds,
  refusalsOf,
  serveTexts,
  statusPathOf,
  toLines,
} from '#lib/testing/fhir/imports.ts';
import { db } from '#lib/testing/set-up/own-db.ts';

const patient = (fields: object = {}) => ({ resourceType: 'Patient', ...fields });
const totalOf = async (caller: Parameters<typeof callFhir>[0], search: string) =>
  (await callFhir(caller, 'GET', `${search}${search.includes('?') ? '&' : '?'}_summary=count`)).body.total;

describe('200', () => {
  test('each line is a resource: without an id a new one, with one what a PUT would be', async () => {
    const project = await makeFhirProject();
    const { admin } = project;
    await letChooseIds(project);
    const there = await make(admin, 'Patient', { gender: 'male' });
    const lines = [
      patient({
        name: [{ family: 'Adams' }],
        meta: { project: 'x', versionId: '9', profile: ['http://example.org/p'] },
      }),
      patient({ id: 'chosen', gender: 'female' }),
      patient({ id: there, gender: 'female' }),
      patient({ id: 'chosen', gender: 'other' }),
    ];
    const base = await serveTexts({
      '/patients': toLines(lines).trimEnd(),
      '/packed': gzipSync('\n{"resourceType":"Basic","code":{"text":"x"}}\r\n\n'),
    });
    const path = await begin(
      admin,
      { type: 'Patient', url: `${base}/patients` },
      { type: 'Basic', url: `${base}/packed` },
    );
    const waiting = await callFhir(admin, 'GET', path);
    expect([waiting.status, waiting.headers.get('x-progress')]).toEqual([202, '0 of 2 files, 0 lines']);
    // gzip that nobody declares is text that is none.
    const manifest = await finish(admin, path);
    expect(manifest).toMatchObject({
      request: `${FHIR_BASE}/$import`,
      requiresAccessToken: true,
      output: [
        { type: 'Patient', inputUrl: `${base}/patients`, count: 4 },
        { type: 'Basic', inputUrl: `${base}/packed`, count: 0 },
      ],
      error: [{ inputUrl: `${base}/packed` }],
    });
    const read = async (id: string) => (await callFhir(admin, 'GET', `Patient/${id}`)).body;
    expect([await read('chosen'), await read(there)]).toMatchObject([
      { gender: 'other', meta: { versionId: '2' } },
      { gender: 'female', meta: { versionId: '2' } },
    ]);
    const [{ resource }] = (await callFhir(admin, 'GET', 'Patient?family=adams')).body.entry;
    expect(resource.meta).toEqual({
      versionId: '1',
      lastUpdated: expect.any(String),
      profile: ['http://example.org/p'],
    });
  });

  test('bad lines are refused one by one, by their numbers; all others are stored', async () => {
    const { admin } = await makeFhirProject();
    const good = JSON.stringify(patient());
    const lines = [
      good,
      'nonsense',
      '{"resourceType":"Observation","status":"final","code":{"text":"x"}}',
      '{"resourceType":"ProjectMembership"}',
      '{"resourceType":"Patient","birthDate":"yesterday"}',
      '{"resourceType":"Patient","id":"of-theirs"}',
      '{"resourceType":"Patient","meta":{"tag":[{"code":"SUBSETTED"}]}}',
      '{"resourceType":"Patient","name":[{"text":"a\\u0000"}]}',
      Buffer.from([0x7b, 0xff]),
      `{"resourceType":"Patient","name":[{"text":"${'x'.repeat(17 * 1024 * 1024)}"}]}`,
      'null',
      good,
    ].map((line) => (typeof line === 'string' ? Buffer.from(`${line}\n`) : Buffer.concat([line, Buffer.from('\n')])));
    const base = await serveTexts({ '/': Buffer.concat(lines) });
    const manifest = await finish(admin, await begin(admin, { type: 'Patient', url: `${base}/` }));
    expect([manifest.output[0]!.count, manifest.error[0]!.count]).toEqual([2, 10]);
    expect(await refusalsOf(admin, manifest)).toEqual([
      expect.stringMatching(/^line-2 structure .*Line 2: .*not valid JSON/),
      'line-3 invalid resourceType Line 3: The file is of Patient, and the line is not',
      expect.stringMatching(/^line-4 invalid resourceType/),
      expect.stringMatching(/^line-5 \w+ Patient.birthDate Line 5: /),
      expect.stringMatching(/^line-6 not-found Patient.id Line 6: .*updateCreate/),
      expect.stringMatching(/^line-7 business-rule/),
      expect.stringMatching(/^line-8 value Patient.name\[0\].text/),
      expect.stringMatching(/^line-9 structure .*not UTF-8/),
      expect.stringMatching(/^line-10 too-long .*longer than 16777216 bytes/),
      expect.stringMatching(/^line-11 invalid/),
    ]);
    expect(await totalOf(admin, 'Patient')).toBe(2);
  });

  test('of many that are refused the first 500 are told, and how many more there were', async () => {
    const { admin } = await makeFhirProject();
    const base = await serveTexts({ '/': 'x\n'.repeat(1203) });
    const manifest = await finish(admin, await begin(admin, { type: 'Patient', url: `${base}/` }));
    const told = await refusalsOf(admin, manifest);
    expect([manifest.error[0]!.count, told.length, told.at(-1)]).toEqual([
      1203,
      501,
      ' informational  703 further lines were refused; the first 500 are told',
    ]);
  });

  test('an import is in the audit log, and so is each resource, as its author’s', async () => {
    const { projectId, admin } = await makeFhirProject();
    const base = await serveTexts({ '/': toLines([patient(), patient()]) });
    const path = await begin(admin, { type: 'Patient', url: `${base}/` });
    await finish(admin, path);
    const rows = await db().select().from(auditEvent).where(eq(auditEvent.projectId, projectId)).orderBy(auditEvent.at);
    const target = `Import/${path.split('/')[1]}`;
    expect(rows.filter((row) => row.target === target)).toMatchObject([
      { action: 'import.start', actor: admin.profile, after: { files: 1, types: ['Patient'] } },
      { action: 'import.end', after: { taken: 2, refused: 0 } },
    ]);
    expect(rows.filter(({ action, actor }) => action === 'resource.create' && actor === admin.profile)).toHaveLength(2);
  });

  test('what is exported of one project is in another, the same, once it was imported there', async () => {
    const from = await makeFhirProject();
    const to = await makeFhirProject();
    await letChooseIds(to);
    const ids = await Promise.all(
      Array.from({ length: 20 }, (_, n) => make(from.admin, 'Patient', { name: [{ family: `F${n}` }] })),
    );
    for (const id of ids) await make(from.admin, 'Observation', observationOf(id));
    await make(from.admin, 'ValueSet', { status: 'active', url: 'http://example.org/vs' });
    await make(from.admin, 'Observation', { status: 'final', code: { text: 'x' }, valueQuantity: { value: 1.5 } });
    const lines = await exported(from.admin, '$export');
    const types = [...new Set(lines.map(({ resourceType }) => resourceType))];
    const base = await serveTexts(
      Object.fromEntries(
        types.map((type) => [`/${type}`, toLines(lines.filter((line) => line.resourceType === type))]),
      ),
    );
    const manifest = await finish(
      to.admin,
      await begin(to.admin, ...types.map((type) => ({ type, url: `${base}/${type}` }))),
    );
    expect(manifest.error).toEqual([]);
    const plain = (all: typeof lines) => new Map(all.map(({ meta: _, ...rest }) => [rest.id, rest]));
    expect(plain(await exported(to.admin, '$export'))).toEqual(plain(lines));
  });

  test('types with rules of their own keep them: a Subscription arrives off, the concepts of a CodeSystem are looked up', async () => {
    const { admin } = await makeFhirProject();
    const hook = {
      resourceType: 'Subscription',
      status: 'active',
      reason: 'x',
      criteria: 'Patient',
      channel: { type: 'rest-hook', endpoint: 'https://example.com' },
    };
    const system = {
      resourceType: 'CodeSystem',
      url: 'http://example.org/cs',
      status: 'active',
      content: 'complete',
      concept: [{ code: 'a', display: 'A' }],
    };
    const profile = {
      resourceType: 'SearchParameter',
      url: 'http://example.org/sp',
      name: 'x',
      status: 'active',
      description: 'x',
      code: 'gender',
      base: ['Patient'],
      type: 'token',
      expression: 'Patient.gender',
    };
    const base = await serveTexts({
      '/s': toLines([hook, hook]),
      '/c': toLines([system]),
      '/p': toLines([profile, { ...profile, status: 'draft' }]),
    });
    const manifest = await finish(
      admin,
      await begin(
        admin,
        { type: 'Subscription', url: `${base}/s` },
        { type: 'CodeSystem', url: `${base}/c` },
        { type: 'SearchParameter', url: `${base}/p` },
      ),
    );
    expect(manifest.output.map(({ count }) => count)).toEqual([2, 1, 1]);
    expect(await refusalsOf(admin, manifest)).toEqual([
      expect.stringMatching(/^line-1 duplicate SearchParameter.code/),
    ]);
    expect(await totalOf(admin, 'Subscription?status=off')).toBe(2);
    expect((await callFhir(admin, 'GET', 'CodeSystem/$lookup?system=http://example.org/cs&code=a')).status).toBe(200);
  });

  test('a CodeSystem has as many values as the body of a POST', async () => {
    const { admin } = await makeFhirProject();
    const concept = Array.from({ length: 80_000 }, (_, n) => ({ code: `c${n}`, display: `${n}` }));
    const system = { resourceType: 'CodeSystem', url: 'http://example.org/cs', status: 'active', content: 'complete' };
    const base = await serveTexts({ '/': toLines([{ ...system, concept }]) });
    const manifest = await finish(admin, await begin(admin, { type: 'CodeSystem', url: `${base}/` }));
    expect([manifest.output[0]!.count, manifest.error]).toEqual([1, []]);
  });

  test('where references are checked, they lead to what is there or comes with them, and the others are refused', async () => {
    const project = await makeFhirProject(false, { checkReferencesOnWrite: true });
    const { admin } = project;
    await letChooseIds(project);
    const linked = (id: string, other: string) =>
      patient({ id, link: [{ other: { reference: `Patient/${other}` }, type: 'seealso' }] });
    const lines = [
      linked('a', 'b'),
      linked('b', 'a'),
      linked('c', 'nobody'),
      linked('d', 'c'),
      linked('e', 'e'),
      linked('f', 'a'),
    ];
    const base = await serveTexts({ '/': toLines(lines) });
    const manifest = await finish(admin, await begin(admin, { type: 'Patient', url: `${base}/` }));
    const told = await refusalsOf(admin, manifest);
    expect(told.map((text) => text.split(' ').slice(0, 3))).toEqual([
      ['line-3', 'not-found', 'Patient.link[0].other.reference'],
      ['line-4', 'not-found', 'Patient.link[0].other.reference'],
    ]);
    expect(manifest.output[0]!.count).toBe(4);
  });

  test('the JSON manifest of the draft is taken, too', async () => {
    const { admin } = await makeFhirProject();
    const base = await serveTexts({ '/': toLines([patient()]) });
    const body = {
      inputFormat: 'application/fhir+ndjson',
      inputSource: 'https://example.com',
      storageDetail: { type: 'https' },
      input: [{ type: 'Patient', url: `${base}/` }],
    };
    const headers = { 'content-type': 'application/json', prefer: 'respond-async' };
    const path = statusPathOf(await callFhir(admin, 'POST', '$import', { body, headers }));
    expect((await finish(admin, path)).output[0]!.count).toBe(1);
  });
});

describe('400', () => {
  const file = { type: 'Patient', url: 'https://example.com/x' };
  const format = { name: 'inputFormat', valueCode: 'application/fhir+ndjson' };
  test.each([
    [importOf({ ...file, type: 'ProjectMembership' }), 'input[0].type'],
    [importOf(file, { ...file, type: 'User' }), 'input[1].type'],
    [importOf({ ...file, type: 'Binary' }), 'input[0].type'],
    [importOf({ ...file, type: 'AuditEvent' }), 'input[0].type'],
    [importOf({ ...file, type: 'Nothing' }), 'input[0].type'],
    [importOf({ ...file, url: 'http://example.com/x' }), 'input[0].url'],
    [importOf({ ...file, url: 'https://127.0.0.1/x' }), 'input[0].url'],
    [importOf({ ...file, url: 'https://a.localhost/x' }), 'input[0].url'],
    [importOf({ ...file, url: 'https://[::1]/x' }), 'input[0].url'],
    [importOf({ ...file, url: 'https://169.254.169.254/latest' }), 'input[0].url'],
    [importOf({ ...file, url: 'https://me:secret@example.com/x' }), 'input[0].url'],
    [importOf({ ...file, url: 'x' }), 'input[0].url'],
    [importOf({ ...file, extra: 'x' } as typeof file), 'input[0].extra'],
    [importOf(), 'input'],
    [importOf(...Array.from({ length: 201 }, () => file)), 'input'],
    [{ resourceType: 'Parameters', parameter: [format] }, 'input'],
    [{ resourceType: 'Parameters', parameter: [format, { name: 'mode', valueString: 'InitialLoad' }] }, 'mode'],
    [{ resourceType: 'Parameters', parameter: [format, format] }, 'inputFormat'],
    [{ resourceType: 'Parameters', parameter: [{ name: 'inputFormat', valueCode: 'text/csv' }] }, 'inputFormat'],
    [{ input: [file] }, 'inputFormat'],
    [{ inputFormat: 'ndjson', input: [file], storageDetail: { type: 'aws-s3' } }, 'storageDetail.type'],
    [{ inputFormat: 'ndjson', input: file }, 'input'],
    [{ inputFormat: 'ndjson', input: [file], storageDetail: 'https' }, 'storageDetail'],
    [{ resourceType: 'Parameters', parameter: [format, { name: 'input', part: [{ name: 'url' }] }] }, 'input[0].url'],
    [{ inputFormat: 'ndjson', input: [file, 'x'] }, 'input[1]'],
    [{ resourceType: 'Parameters', parameter: [null] }, 'Parameters.parameter[0]'],
    [[], 'Parameters'],
  ])('%j is refused by name', async (body, expression) => {
    const { admin } = await makeFhirProject();
    const answer = await callFhir(admin, 'POST', '$import', { body });
    expect([answer.status, answer.body.issue?.[0].expression], answer.text).toEqual([400, [expression]]);
  });
});

test('400 for an Idempotency-Key: nothing is kept by it', async () => {
  const headers = { 'idempotency-key': 'x' };
  const body = importOf({ type: 'Patient', url: 'https://example.com/x' });
  const answer = await callFhir((await makeFhirProject()).admin, 'POST', '$import', { body, headers });
  expectIssue(answer, 400, 'invalid', 'http.Idempotency-Key');
});

test('401 without a token, 405 by GET', async () => {
  expect((await callFhir(undefined, 'POST', '$import')).status).toBe(401);
  expect((await callFhir((await makeFhirProject()).admin, 'GET', '$import')).status).toBe(405);
});

test('403 to whoever is no administrator, whatever they send', async () => {
  const { member } = await makeFhirProject();
  expectIssue(await callFhir(await member(), 'POST', '$import', { body: {} }), 403, 'forbidden');
  expectIssue(await callFhir(await member([{ resourceType: 'Patient' }]), 'POST', '$import'), 403, 'forbidden');
});

test('404 for the imports of others, unless one is an administrator without limits', async () => {
  const { admin, member } = await makeFhirProject();
  const base = await serveTexts({ '/': 'x\n' });
  const path = await begin(admin, { type: 'Patient', url: `${base}/` });
  const manifest = await finish(admin, path);
  const refusals = manifest.error[0]!.url.slice(FHIR_BASE.length + 1);
  const limited = await member([{ resourceType: 'Patient' }], { admin: true });
  for (const caller of [await member(), limited, (await makeFhirProject()).admin]) {
    expectIssue(await callFhir(caller, 'GET', path), 404, 'not-found');
    expectIssue(await callFhir(caller, 'GET', refusals), 404, 'not-found');
    expectIssue(await callFhir(caller, 'DELETE', path), 404, 'not-found');
  }
  expect((await callFhir(await member(undefined, { admin: true }), 'GET', path)).status).toBe(200);
  expectIssue(await callFhir(admin, 'GET', `${refusals}0`), 404, 'not-found');
});

test('429 with Retry-After while another import of the project is under way, and not of others', async () => {
  const { admin } = await makeFhirProject();
  const file = { type: 'Patient', url: 'https://example.com/x' };
  const path = await begin(admin, file);
  const refused = await callFhir(admin, 'POST', '$import', { body: importOf(file) });
  expectIssue(refused, 429, 'throttled');
  expect(refused.headers.get('retry-after')).toBe('60');
  const other = (await makeFhirProject()).admin;
  expect((await callFhir(other, 'DELETE', await begin(other, file))).status).toBe(202);
  expect((await callFhir(admin, 'DELETE', path)).status).toBe(202);
  expectIssue(await callFhir(admin, 'GET', path), 404, 'not-found');
  expect((await callFhir(admin, 'DELETE', await begin(admin, file))).status).toBe(202);
});
