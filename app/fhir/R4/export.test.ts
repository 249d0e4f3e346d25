import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { auditEvent } from '#lib/infra/db/schema/operations.ts';
import { callFhir, expectIssue, FHIR_BASE } from '#lib/testing/fhir/call-fhir.ts';
import {
  complete,
  exported,
  fetchFile,
  groupOf,
  idsOf,
  type Line,
  linesOf,
  make,
  observationOf,
  PREFER,
  parseLines,
  start,
  statusOf,
} from '#lib/testing/fhir/exports.ts';
import { type Caller, type FhirProject, makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';
import { db } from '#lib/testing/set-up/own-db.ts';

let project: FhirProject;
let admin: Caller;
let patients: string[];

beforeAll(async () => {
  project = await makeFhirProject();
  admin = project.admin;
  patients = await Promise.all(
    ['Adams', 'Brown', 'Clark'].map((family) => make(admin, 'Patient', { name: [{ family }] })),
  );
  for (const id of patients) await make(admin, 'Observation', observationOf(id));
  await make(admin, 'Observation', { ...observationOf(patients[0]!), status: 'preliminary' });
  await make(admin, 'Organization', { name: 'Ward' });
});

describe('200', () => {
  test('a system export is everything that its author may search, as files by type, told by a manifest', async () => {
    const before = new Date();
    const answer = await start(admin, '$export?_type=Patient,Observation');
    const manifest = await complete(admin, answer);
    expect(manifest).toMatchObject({
      request: `${FHIR_BASE}/$export?_type=Patient,Observation`,
      requiresAccessToken: false,
      error: [],
    });
    expect(Date.parse(manifest.transactionTime)).toBeGreaterThanOrEqual(before.getTime());
    expect(manifest.output.map(({ type, count }) => [type, count])).toEqual([
      ['Patient', 3],
      ['Observation', 4],
    ]);
    const lines = await linesOf(manifest);
    const [first] = lines;
    expect(first).toEqual((await callFhir(admin, 'GET', `Patient/${first!.id}`)).body);
    expect(idsOf(await exported(admin, '$export'), 'Organization')).toHaveLength(1);
  });

  test('a POST without a body, or with Parameters, asks the same; of what the platform adds nothing is exported', async () => {
    const all = await exported(admin, '$export', {}, 'POST');
    expect(new Set(all.map(({ resourceType }) => resourceType))).toEqual(
      new Set(['Patient', 'Observation', 'Organization']),
    );
    const parameter = [
      { name: '_type', valueString: 'Patient' },
      { name: '_outputFormat', valueString: 'application/fhir+ndjson' },
    ];
    const body = { resourceType: 'Parameters', parameter };
    expect(idsOf(await exported(admin, '$export', { body, headers: PREFER }, 'POST'))).toEqual([...patients].sort());
  });

  test('_since, _typeFilter and _elements narrow it', async () => {
    const filtered = await exported(
      admin,
      '$export?_type=Observation,Patient&_typeFilter=Observation?status=preliminary',
    );
    expect([idsOf(filtered, 'Observation').length, idsOf(filtered, 'Patient').length]).toEqual([1, 3]);
    const either = '_typeFilter=Patient?family=adams,Patient?family=brown';
    expect(idsOf(await exported(admin, `$export?_type=Patient&${either}`))).toEqual(patients.slice(0, 2).sort());
    const since = new Date(Date.now() + 1).toISOString();
    await expect.poll(() => new Date().toISOString() > since).toBe(true);
    const id = await make(admin, 'Basic', { code: { text: 'new' } });
    expect(idsOf(await exported(admin, `$export?_since=${since}`))).toEqual([id]);
    const [patient] = await exported(admin, '$export?_type=Patient&_elements=Patient.gender');
    expect([patient!.name, (patient!.meta as { tag: object[] }).tag]).toEqual([
      undefined,
      [expect.objectContaining({ code: 'SUBSETTED' })],
    ]);
  });

  test('of patients, of some of them, and of a Group: what stands in their compartments', async () => {
    const all = await exported(admin, 'Patient/$export');
    expect([idsOf(all, 'Patient'), idsOf(all, 'Observation').length, idsOf(all, 'Organization')]).toEqual([
      [...patients].sort(),
      4,
      [],
    ]);
    const parameter = [{ name: 'patient', valueReference: { reference: `Patient/${patients[1]}` } }];
    const body = { resourceType: 'Parameters', parameter };
    const one = await exported(admin, 'Patient/$export', { body, headers: PREFER }, 'POST');
    expect([idsOf(one, 'Patient'), idsOf(one, 'Observation').length]).toEqual([[patients[1]], 1]);
    const inner = await make(admin, 'Group', groupOf([`Patient/${patients[0]}`]));
    const group = await make(admin, 'Group', groupOf([`Group/${inner}`, `Patient/${patients[2]}`]));
    const some = await exported(admin, `Group/${group}/$export?_type=Patient,Observation`);
    expect([idsOf(some, 'Patient'), idsOf(some, 'Observation').length]).toEqual([[patients[0], patients[2]].sort(), 3]);
  });

  test('a limited member gets what they can search, and what is theirs at the moment of fetching', async () => {
    const member = await project.member([
      { resourceType: 'Patient', criteria: `Patient?_id=${patients[0]}` },
      { resourceType: 'Observation', criteria: 'Observation?status=final' },
    ]);
    const manifest = await complete(member, await start(member, '$export'));
    const lines = await linesOf(manifest);
    for (const type of ['Patient', 'Observation']) {
      const { body } = await callFhir(member, 'GET', `${type}?_count=1000`);
      const found = body.entry.map(({ resource }: { resource: Line }) => resource.id).sort();
      expect(idsOf(lines, type)).toEqual(found);
    }
    expect(new Set(lines.map(({ resourceType }) => resourceType))).toEqual(new Set(['Patient', 'Observation']));
    const policies = await callFhir(admin, 'GET', `ProjectMembership/${member.membershipId}`);
    const policy = policies.body.accessPolicy.reference;
    const { body } = await callFhir(admin, 'GET', policy);
    const less = { ...body, resource: [{ resourceType: 'Patient', criteria: `Patient?_id=${patients[1]}` }] };
    expect((await callFhir(admin, 'PUT', policy, { body: less })).status).toBe(200);
    const fileOf = (type: string) => manifest.output.find((file) => file.type === type)!.url;
    expect(parseLines((await fetchFile(fileOf('Patient'))).text)).toMatchObject([{ id: patients[1] }]);
    expectIssue(await fetchFile(fileOf('Observation')), 404, 'not-found');
  });

  test('what changed since is as it was then; what was deleted is not handed out, and what is new does not come', async () => {
    const own = await makeFhirProject();
    const [changed, deleted] = [
      await make(own.admin, 'Patient', { gender: 'male' }),
      await make(own.admin, 'Patient', { gender: 'male' }),
    ];
    const manifest = await complete(own.admin, await start(own.admin, '$export?_typeFilter=Patient?gender=male'));
    expect(manifest.output[0]!.count).toBe(2);
    const body = { resourceType: 'Patient', id: changed, gender: 'female' };
    await callFhir(own.admin, 'PUT', `Patient/${changed}`, { body });
    await callFhir(own.admin, 'DELETE', `Patient/${deleted}`);
    await make(own.admin, 'Patient', { gender: 'male' });
    const file = await fetchFile(manifest.output[0]!.url);
    const lines = parseLines(file.text);
    expect(lines).toMatchObject([{ id: changed, gender: 'male', meta: { versionId: '1' } }]);
  });

  test('who asked for it, and who fetches which file, stands in the audit log', async () => {
    const answer = await start(admin, '$export?_type=Organization');
    const manifest = await complete(admin, answer);
    expect((await fetchFile(manifest.output[0]!.url, 'HEAD')).status).toBe(200);
    await linesOf(manifest);
    const id = statusOf(answer).split('/')[1]!;
    expect((await callFhir(admin, 'DELETE', statusOf(answer))).status).toBe(202);
    const rows = await db()
      .select()
      .from(auditEvent)
      .where(eq(auditEvent.target, `Export/${id}`))
      .orderBy(auditEvent.at);
    expect(rows.map(({ action, actor }) => [action, actor])).toEqual([
      ['export.start', admin.profile],
      ['export.fetch', admin.profile],
      ['export.cancel', admin.profile],
    ]);
  });
});

describe('400', () => {
  test.each([
    ['_outputFormat=csv', '_outputFormat'],
    ['_since=yesterday', '_since'],
    ['_type=Nothing', '_type'],
    ['_type=Bot', '_type'],
    ['_type=AuditEvent', '_type'],
    ['_type=Binary', '_type'],
    ['_typeFilter=status', '_typeFilter'],
    ['_type=Patient&_typeFilter=Observation?status=final', '_typeFilter'],
    ['_typeFilter=Patient?_sort=name', '_typeFilter'],
    ['_typeFilter=Patient?colour=blue', 'colour'],
    ['_typeFilter=Observation?patient.name=x', 'patient.name'],
    ['_elements=a b', '_elements'],
    ['includeAssociatedData=LatestProvenanceResources', 'includeAssociatedData'],
    ['patient=Patient/1', 'patient'],
  ])('%s is refused by name', async (query, expression) => {
    const answer = await start(admin, `$export?${query}`);
    expect([answer.status, answer.body.issue?.[0].expression], answer.text).toEqual([400, [expression]]);
  });

  test('what is not there is passed over where the caller is lenient', async () => {
    const headers = { prefer: 'respond-async, handling=lenient' };
    const answer = await start(admin, '$export?includeAssociatedData=x', { headers });
    expect((await callFhir(admin, 'DELETE', statusOf(answer))).status).toBe(202);
  });

  test('types outside of the compartment, patients who are not there, and Groups that name nobody', async () => {
    expectIssue(await start(admin, 'Patient/$export?_type=Organization'), 400, 'invalid', '_type');
    const parameter = [{ name: 'patient', valueReference: { reference: 'Patient/nobody' } }];
    const body = { resourceType: 'Parameters', parameter };
    expectIssue(await start(admin, 'Patient/$export', { body }, 'POST'), 400, 'invalid', 'patient');
    const group = await make(admin, 'Group', { type: 'person', actual: false });
    expectIssue(await start(admin, `Group/${group}/$export`), 400, 'too-costly', 'Group.member');
  });
});

test('401 without a token', async () => {
  expect((await callFhir(undefined, 'GET', '$export')).status).toBe(401);
});

test('403 for a type that the caller may not search', async () => {
  const member = await project.member([{ resourceType: 'Observation' }]);
  expectIssue(await start(member, '$export?_type=Patient'), 403, 'forbidden');
  expectIssue(await start(member, 'Patient/$export'), 403, 'forbidden');
});

test('429 with Retry-After while five of one member are being made', async () => {
  const member = await project.member();
  for (let at = 0; at < 5; at += 1) statusOf(await start(member, '$export'));
  const refused = await start(member, '$export');
  expectIssue(refused, 429, 'throttled');
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await start(await project.member(), '$export')).status).toBe(202);
});
