import { eq, sql } from 'drizzle-orm';
import { expect, onTestFinished, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { flushSeals, startSealing } from '#lib/domain/audit/seal-soon.ts';
import { keepAnswer } from '#lib/domain/idempotency/kept-answers.ts';
import { runErasures } from '#lib/domain/record-erasure/run-erasures.ts';
import { PLACEMENT } from '#lib/infra/db/cluster/placement.ts';
import { asyncJob } from '#lib/infra/db/schema/async-job.ts';
import { botRun, botSample } from '#lib/infra/db/schema/bots.ts';
import { bulkExport } from '#lib/infra/db/schema/fhir/bulk-data.ts';
import { bulkImportError } from '#lib/infra/db/schema/fhir/bulk-import.ts';
import { hl7Message } from '#lib/infra/db/schema/hl7.ts';
import { idempotencyKey } from '#lib/infra/db/schema/operations.ts';
import { verifyChain } from '#lib/protocol/audit/verify-chain.ts';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { callAuth } from '#lib/testing/call-auth.ts';
import { makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';
import { CTX, makeClient } from '#lib/testing/people.ts';
import { forget, importFile } from '#lib/testing/project-files.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createSuperAdmin, createWorld, type World } from '#lib/testing/world.ts';

const REASON = 'Asked for by the person, ticket 4711';

async function makeWorld({ allowed = true } = {}): Promise<World> {
  const world = await createWorld();
  if (allowed) await allow(world);
  return world;
}

const allow = (world: World, valueBoolean = true) =>
  world.call('POST', '/settings', { body: [{ name: 'recordErasure', valueBoolean }] });

const fhir = (world: World, method: string, path: string, body?: unknown) =>
  callApi(world.owner.bearer, method, `/fhir/R4/${path}`, body === undefined ? {} : { body });

async function make(world: World, resource: { resourceType: string; [name: string]: unknown }): Promise<string> {
  const answer = await fhir(world, 'POST', resource.resourceType, resource);
  expect(answer.status, answer.text).toBe(201);
  return answer.body.id as string;
}

const observation = (patient: string, fields: object = {}) => ({
  resourceType: 'Observation',
  status: 'final',
  code: { text: 'Dose' },
  subject: { reference: `Patient/${patient}` },
  ...fields,
});
const ask = (world: World, patient: string, fields: object = {}) =>
  world.call('POST', `/patients/${patient}/erasure`, { body: { confirm: patient, reason: REASON, ...fields } });

async function erased(world: World, patient: string) {
  const asked = await ask(world, patient);
  expect(asked.status, asked.text).toBe(202);
  await runErasures(CTX);
  const { body } = await callApi(world.owner.bearer, 'GET', asked.headers.get('location')!);
  expect(body).toMatchObject({ state: 'done', reason: REASON });
  return body;
}

/** Tables in which a row of the project has the text somewhere. */
async function tablesWith(projectId: string, text: string): Promise<string[]> {
  const found: string[] = [];
  for (const [table, place] of Object.entries(PLACEMENT)) {
    if (place !== 'distributed') continue;
    const rows = await db().execute(sql`
      select 1 from ${sql.identifier(table)} t where t.project_id = ${projectId} and position(lower(${text}) in lower(to_jsonb(t)::text)) > 0 limit 1`);
    if (rows.length > 0) found.push(table);
  }
  return found;
}

test('the record of a patient goes, with every version and what it named; what is about others stays, and is told', async () => {
  const world = await makeWorld();
  const secret = `Quill${newId().slice(-8)}`;
  const name = [{ given: ['Zoe'], family: secret }];
  const patient = await make(world, { resourceType: 'Patient', name, birthDate: '1950-01-01' });
  const other = await make(world, { resourceType: 'Patient', name: [{ text: 'Other' }] });
  const note = { text: `${secret} is better` };
  const own = await make(world, observation(patient, { note: [note] }));
  const changed = await fhir(world, 'PUT', `Observation/${own}`, {
    ...observation(patient),
    id: own,
    note: [note, note],
  });
  expect(changed.status).toBe(200);
  const gone = await make(world, observation(patient, { note: [note] }));
  await fhir(world, 'DELETE', `Observation/${gone}`);
  const strange = await make(world, observation(other));
  const bytes = await make(world, {
    resourceType: 'Binary',
    contentType: 'text/plain',
    data: btoa(`Scan of ${secret}`),
  });
  const both = await make(world, { resourceType: 'Binary', contentType: 'text/plain', data: btoa('A form') });
  const document = (whose: string, ...urls: string[]) => ({
    resourceType: 'DocumentReference',
    status: 'current',
    subject: { reference: `Patient/${whose}` },
    content: urls.map((url) => ({ attachment: { url } })),
  });
  const scan = await make(world, document(patient, `Binary/${bytes}`, `Binary/${both}`));
  await make(world, document(other, `Binary/${both}`));
  const shared = await make(world, {
    resourceType: 'Appointment',
    status: 'proposed',
    participant: [patient, other].map((id) => ({ actor: { reference: `Patient/${id}` }, status: 'accepted' })),
  });
  const task = await make(world, {
    resourceType: 'Task',
    status: 'draft',
    intent: 'order',
    for: { reference: `Patient/${patient}` },
  });
  const member = await world.invite({
    resourceType: 'Patient',
    membership: { profile: { reference: `Patient/${patient}` } },
  });

  expect((await world.call('GET', `/patients/${patient}/erasure`)).body).toEqual({
    patient: `Patient/${patient}`,
    name: `Zoe ${secret}`,
    deleted: false,
    allowed: true,
    against: [
      expect.stringContaining(`ProjectMembership/${member.id} stands on Patient/${patient}: remove that member first`),
    ],
    erased: { Patient: 1, Observation: 1, DocumentReference: 1 },
    kept: { Appointment: 1 },
    referring: { Task: 1 },
  });
  expectOutcome(await ask(world, patient), 409);
  await world.call('DELETE', `/members/${member.id}`);
  expectOutcome(await ask(world, patient, { confirm: 'Zoe' }), 400, 'confirm');
  const asked = await ask(world, patient, { confirm: `zoe ${secret}` });
  expect(asked.status, asked.text).toBe(202);
  expect(asked.body).toMatchObject({
    state: 'queued',
    total: 3,
    erased: { Patient: 1 },
    patient: `Patient/${patient}`,
  });
  // Before the first step nobody finds the patient any more.
  expectOutcome(await fhir(world, 'GET', `Patient/${patient}`), 410);
  expectOutcome(await ask(world, patient), 410);
  await runErasures(CTX);
  const { rows } = (await world.call('GET', '/erasures')).body;
  expect(rows).toHaveLength(1);
  expect(rows[0]).toMatchObject({
    id: asked.body.id,
    state: 'done',
    erased: { Patient: 1, Observation: 2, DocumentReference: 1, Binary: 1 },
    kept: { Appointment: 1 },
    versions: 1 + 2 + 2 + 1 + 1,
    startedBy: { display: 'Olga Owner' },
  });
  expect(Date.parse(rows[0].finishedAt)).toBeGreaterThanOrEqual(Date.parse(rows[0].createdAt));

  const all = { Patient: patient, Observation: own, DocumentReference: scan, Binary: bytes };
  for (const [type, id] of [...Object.entries(all), ['Observation', gone]] as const) {
    for (const path of ['', '/_history/1', '/_history/2'])
      if (path !== '/_history/2' || type !== 'Patient')
        expectOutcome(await fhir(world, 'GET', `${type}/${id}${path}`), 410);
    const history = await fhir(world, 'GET', `${type}/${id}/_history`);
    expect([history.status, history.body.total, history.text.includes(secret)]).toEqual([200, 1, false]);
    expect(history.body.entry[0]).toMatchObject({
      request: { method: 'DELETE' },
      response: { outcome: { issue: [{ diagnostics: 'Erased for good, with all versions' }] } },
    });
    expect(history.body.entry[0].resource).toBeUndefined();
  }
  for (const path of [`Patient?name=${secret}`, `Observation?subject=Patient/${patient}`, `Patient?_id=${patient}`])
    expect((await fhir(world, 'GET', path)).body.entry ?? []).toEqual([]);
  const included = await fhir(world, 'GET', `Appointment?_id=${shared}&_include=Appointment:patient`);
  expect(included.body.entry.map(({ resource }: { resource: { id: string } }) => resource.id).sort()).toEqual(
    [shared, other].sort(),
  );
  for (const path of [`Observation/${strange}`, `Appointment/${shared}`, `Task/${task}`, `Binary/${both}`])
    expect((await fhir(world, 'GET', path)).status).toBe(200);
  expect(await tablesWith(world.projectId, secret)).toEqual([]);
  const { text } = await world.call('GET', '/export');
  for (const said of [secret, 'is better']) expect(text).not.toContain(said);
});

test('nothing brings an erased resource back: no PUT, no patch, no repair, no import of the project elsewhere', async () => {
  const world = await makeWorld();
  const patient = await make(world, { resourceType: 'Patient', name: [{ text: 'Ann' }] });
  const own = await make(world, observation(patient));
  await erased(world, patient);
  expectOutcome(await fhir(world, 'PUT', `Patient/${patient}`, { resourceType: 'Patient', id: patient }), 410);
  expectOutcome(await fhir(world, 'PUT', `Observation/${own}`, { ...observation(patient), id: own }), 410);
  const headers = { 'content-type': 'application/json-patch+json' };
  const patch = { body: [{ op: 'add', path: '/active', value: true }], headers };
  expectOutcome(await callApi(world.owner.bearer, 'PATCH', `/fhir/R4/Patient/${patient}`, patch), 410);
  expect((await fhir(world, 'DELETE', `Patient/${patient}`)).status).toBe(200);
  expectOutcome(await fhir(world, 'GET', `Patient/${patient}/_history/1`), 410);
  const invited = { resourceType: 'Patient', membership: { profile: { reference: `Patient/${patient}` } } };
  const body = { firstName: 'A', lastName: 'B', email: `${newId()}@example.com`, ...invited };
  expect((await world.call('POST', '/invite', { body })).status).toBe(400);
  expectOutcome(await world.call('GET', `/patients/${patient}/erasure`), 410);
  const again = await make(world, { resourceType: 'Patient', name: [{ text: 'Ann' }] });
  expect(again).not.toBe(patient);
  const file = (await world.call('GET', '/export')).text;
  await forget(world.projectId);
  const root = await createSuperAdmin();
  expect((await importFile(root, file)).status).toBe(201);
  const path = `/fhir/R4/Observation/${own}`;
  const { bearer } = await joined(world);
  expectOutcome(await callApi(bearer, 'PUT', path, { body: { ...observation(patient), id: own } }), 410);
  expectOutcome(await callApi(bearer, 'GET', `${path}/_history/1`), 410);
});

/** A member of a project that has arrived from a file. */
async function joined({ projectId }: World): Promise<{ bearer: string }> {
  return { bearer: (await makeClient(projectId)).basic };
}

test('for administrators without limits, in their own name and with a young proof, where the project allows it; of patients of this project', async () => {
  const world = await makeWorld({ allowed: false });
  const patient = await make(world, { resourceType: 'Patient' });
  expect((await world.call('GET', `/patients/${patient}/erasure`)).body).toMatchObject({ allowed: false, name: null });
  expectOutcome(await ask(world, patient), 409, 'recordErasure');
  expectOutcome(await world.call('POST', '/settings', { body: [{ name: 'recordErasure', valueString: 'yes' }] }), 400);
  const old = sql`update login set auth_time = now() - interval '1 hour' where project_id = ${world.projectId}`;
  await db().execute(old);
  expectOutcome(await allow(world), 403);
  await db().execute(sql`update login set auth_time = now() where project_id = ${world.projectId}`);
  expect((await allow(world)).status).toBe(200);
  await db().execute(old);
  expectOutcome(await ask(world, patient), 403);
  await db().execute(sql`update login set auth_time = now() where project_id = ${world.projectId}`);
  expectOutcome(await ask(world, newId()), 404);
  expectOutcome(await ask(world, 'no_id'), 404);
  expectOutcome(await world.call('GET', '/patients/none/erasure'), 404);
  expectOutcome(await world.call('GET', `/erasures/${newId()}`), 404);
  expectOutcome(await world.call('GET', '/erasures/none'), 404);
  for (const fields of [{ reason: ' ' }, { reason: 'x'.repeat(501) }, { reason: 'a\nb' }, { confirm: 7 }, { more: 1 }])
    expect((await ask(world, patient, fields)).status).toBe(400);
  const other = await makeWorld();
  expectOutcome(await ask(other, patient), 404);
  const paths = [`/patients/${patient}/erasure`, '/erasures', `/erasures/${newId()}`];
  const member = await makeClient(world.projectId);
  for (const path of paths)
    for (const bearer of [member.basic, other.owner.bearer])
      expectOutcome(await world.call('GET', path, { bearer }), 403);
  const project = await makeFhirProject();
  const limited = await project.member([{ resourceType: 'Patient' }], { admin: true });
  for (const path of paths)
    expectOutcome(await callApi(limited.authorization, 'GET', `/admin/projects/${project.projectId}${path}`), 403);
  const behalf = { headers: { 'x-medplum-on-behalf-of': `ProjectMembership/${world.owner.membershipId}` } };
  const acting = await callApi(
    world.owner.bearer,
    'GET',
    `/admin/projects/${world.projectId}${paths[0]}`,
    behalf as never,
  );
  expect(acting.status).toBe(403);
  expect((await fhir(world, 'GET', `Patient/${patient}`)).status).toBe(200);
});

test('of twenty that ask at once one is heard; what is about two patients goes with the second; what comes meanwhile goes, too', async () => {
  const world = await makeWorld();
  const [first, second] = [
    await make(world, { resourceType: 'Patient' }),
    await make(world, { resourceType: 'Patient' }),
  ];
  const participant = [first, second].map((id) => ({ actor: { reference: `Patient/${id}` }, status: 'accepted' }));
  const shared = await make(world, { resourceType: 'Appointment', status: 'proposed', participant });
  await make(world, { resourceType: 'Patient', link: [{ other: { reference: `Patient/${first}` }, type: 'seealso' }] });
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask(world, first)));
  expect(answers.map(({ status }) => status).sort()).toEqual([202, ...Array.from({ length: 19 }, () => 410)]);
  await Promise.all([runErasures(CTX), runErasures(CTX), make(world, observation(first))]);
  await runErasures(CTX);
  expect((await world.call('GET', '/erasures')).body.rows[0]).toMatchObject({
    state: 'done',
    kept: { Appointment: 1, Patient: 1 },
  });
  const after = await erased(world, second);
  expect(after).toMatchObject({ erased: { Patient: 1, Appointment: 1 }, kept: {} });
  expectOutcome(await fhir(world, 'GET', `Appointment/${shared}`), 410);
});

test('a deleted patient is erased still; a relative who signs in is in the way', async () => {
  const world = await makeWorld();
  const patient = await make(world, { resourceType: 'Patient', name: [{ text: 'Ann' }] });
  const relative = await make(world, { resourceType: 'RelatedPerson', patient: { reference: `Patient/${patient}` } });
  const profile = { reference: `RelatedPerson/${relative}` };
  const member = await world.invite({ resourceType: 'RelatedPerson', membership: { profile } });
  await world.call('PATCH', `/members/${member.id}`, { body: [{ op: 'add', path: '/active', value: false }] });
  expect((await ask(world, patient)).text).toContain(
    `ProjectMembership/${member.id} stands on RelatedPerson/${relative}`,
  );
  const lonely = await make(world, { resourceType: 'Patient', name: [{ text: 'Lonely' }] });
  await fhir(world, 'DELETE', `Patient/${lonely}`);
  expect((await world.call('GET', `/patients/${lonely}/erasure`)).body).toMatchObject({ deleted: true, name: null });
  await erased(world, lonely);
  expectOutcome(await fhir(world, 'GET', `Patient/${lonely}/_history/1`), 410);
});

test('what bots said, and answers that are told again, go with a record that they name; others stay', async () => {
  const world = await makeWorld();
  const [patient, other] = [
    await make(world, { resourceType: 'Patient' }),
    await make(world, { resourceType: 'Patient' }),
  ];
  const { projectId } = world;
  const { membershipId } = world.owner;
  for (const id of [patient, other]) {
    const at = new Date();
    const run = {
      projectId,
      id: newId(),
      botId: newId(),
      trigger: 'execute',
      startedAt: at,
      durationMs: 1,
      requestId: 'r',
    };
    await db()
      .insert(botRun)
      .values({ ...run, status: 'ok', message: `Saw Patient/${id}`, logs: [{ text: id }] });
    const job = { projectId, id: newId(), membershipId, status: 'completed', request: '/x', finishedAt: at } as const;
    await db()
      .insert(asyncJob)
      .values({ ...job, output: `{"for":"Patient/${id}"}` });
    const wanted = {
      projectId,
      id: newId(),
      membershipId,
      scope: '',
      request: '/x',
      horizon: '1',
      asOf: at,
      lookedAt: at,
    };
    const asked = { types: ['Patient'], filters: [], elements: [] };
    const place = { type: 0, batch: 0, after: '' };
    await db()
      .insert(bulkExport)
      .values({ ...wanted, asked, place, members: [id], expiresAt: at });
    const outcome = `{"issue":[{"details":{"text":"Line 1: Patient/${id} is not there"}}]}`;
    await db().insert(bulkImportError).values({ projectId, importId: newId(), file: 0, line: 1, outcome });
    const request = { projectId, membershipId, key: id, content: id };
    await keepAnswer(db(), request, { status: 200, body: `{"for":"Patient/${id}"}`, contentType: 'application/json' });
  }
  await erased(world, patient);
  const counts = await Promise.all(
    [botRun, asyncJob, idempotencyKey, bulkExport, bulkImportError].map((table) =>
      db().$count(table, sql`project_id = ${projectId}`),
    ),
  );
  expect(counts).toEqual([2, 1, 1, 1, 1]);
  expect(await tablesWith(projectId, `Patient/${patient}`)).toEqual(['audit_event']);
  expect(await tablesWith(projectId, `Patient/${other}`)).toEqual(expect.arrayContaining(['async_job', 'bot_run']));
});

test('what messages of other systems said of a patient goes with the record, by identifiers of any version; those of others stay', async () => {
  const world = await makeWorld();
  const { projectId } = world;
  const patient = await make(world, { resourceType: 'Patient', identifier: [{ value: 'MRN-1' }] });
  await make(world, { resourceType: 'Patient', identifier: [{ value: 'MRN-2' }] });
  const keep = async (state: 'done' | 'waiting', patients: string[], text: string) => {
    const row = { projectId, id: newId(), feedId: newId(), seq: 1, controlId: text, type: 'ADT', fingerprint: text };
    await db()
      .insert(hl7Message)
      .values({ ...row, state, receivedAt: new Date(), size: 1, text, patients, answer: text });
  };
  await keep('done', ['MRN-1', 'X'], 'by identifier');
  await keep('waiting', ['MRN-1'], 'waits');
  await keep('done', [], `by id ${patient}`);
  await keep('done', ['MRN-2'], 'of another');
  await erased(world, patient);
  const rows = await db().select().from(hl7Message).where(eq(hl7Message.projectId, projectId));
  const told = rows.map(({ controlId, state, text, answer, patients }) => [
    controlId.slice(0, 5),
    state,
    text,
    answer,
    patients,
  ]);
  expect(told.sort()).toEqual([
    ['by id', 'done', null, null, []],
    ['by id', 'done', null, null, []],
    ['of an', 'done', 'of another', 'of another', ['MRN-2']],
    ['waits', 'failed', null, null, []],
  ]);
});

test('runs and samples that were given a message of HL7 v2 on a patient say nothing of it any more; those on others do', async () => {
  const world = await makeWorld();
  const { projectId } = world;
  const patient = await make(world, { resourceType: 'Patient', identifier: [{ value: 'MRN-1' }, { value: '2' }] });
  const message = (ending: string) => `MSH|^~\\&|A|B|C|D|20260101||ADT^A01|1|P|2.5\r${ending}`;
  const inputs = {
    pid: message('PID|1||MRN-1^^^HOSP||Okonjo^Ngozi'),
    repeated: message('PID|1||X^^^HOSP~ MRN-1 ^^^OTHER||Okonjo^Ngozi'),
    merged: message('PID|1||X||Okonjo\rMRG|MRN-1'),
    separators: 'MSH#*~\\&#A#B#C#D#20260101##ADT*A01#1#P#2.5\rPID#1##MRN-1***HOSP##Okonjo',
    other: message('PID|2||MRN-11^^^HOSP||Smith\rOBX|2|ST|MRN-1'),
    none: 'PID|1||MRN-1',
  };
  for (const [name, input] of Object.entries(inputs)) {
    const row = {
      projectId,
      id: newId(),
      botId: newId(),
      trigger: 'hl7' as const,
      status: 'ok' as const,
      requestId: name,
    };
    await db()
      .insert(botRun)
      .values({ ...row, startedAt: new Date(), durationMs: 1, inputType: 'hl7', input, inputBytes: input.length });
    const sample = { projectId, id: newId(), botId: row.botId, name, contentType: 'x-application/hl7-v2+er7', input };
    await db()
      .insert(botSample)
      .values({ ...sample, expects: '{}', author: world.owner.membershipId, updatedAt: new Date() });
  }
  const sampleOf = async (name: string, values: { input?: string; expects?: string; stubs?: string }) => {
    const contentType = 'application/json; charset=utf-8';
    const sample = { projectId, id: newId(), botId: newId(), name, contentType, input: '{}', expects: '{}' };
    await db()
      .insert(botSample)
      .values({ ...sample, ...values, author: world.owner.membershipId, updatedAt: new Date() });
  };
  const answered = (value: unknown) => JSON.stringify({ ok: true, output: [{ path: '', value }] });
  const stubbed = (body: string) => JSON.stringify({ fetch: [{ url: 'https://x/', status: 200, body }] });
  await sampleOf('in input', { input: JSON.stringify({ message: inputs.pid }) });
  await sampleOf('in expects', { expects: answered(inputs.pid) });
  await sampleOf('in stubs', { stubs: stubbed(inputs.pid) });
  await sampleOf('in JSON in stubs', { stubs: stubbed(JSON.stringify({ ack: inputs.merged })) });
  // A value alone is nobody's, and neither is one of another message.
  await sampleOf('a value', { input: '{"text":"MSH"}', expects: answered('|MRN-1|') });
  await sampleOf('another', { stubs: stubbed(message('PID|1||MRN-11^^^HOSP||Smith')) });
  const asParameters = (valueString: string) =>
    JSON.stringify({ resourceType: 'Parameters', parameter: [{ name: 'responseBody', valueString }] });
  const within = JSON.stringify({ ack: 'AA', original: inputs.pid });
  // Of other texts than messages more goes than must.
  const outputs = { ...inputs, within, broken: `${inputs.other}\u0000\ud83d`, separators: inputs.none };
  for (const [name, output] of Object.entries(outputs)) {
    const row = { projectId, id: newId(), membershipId: world.owner.membershipId, status: 'completed' as const };
    const at = new Date();
    await db()
      .insert(asyncJob)
      .values({ ...row, request: name, requestedAt: at, aliveAt: at, finishedAt: at, output: asParameters(output) });
  }
  await erased(world, patient);
  const jobs = await db().select().from(asyncJob).where(eq(asyncJob.projectId, projectId));
  expect(jobs.map(({ request }) => request).sort()).toEqual(['none', 'separators']);
  const runs = await db().select().from(botRun).where(eq(botRun.projectId, projectId));
  const kept = runs.filter(({ input }) => input !== null).map(({ requestId }) => requestId);
  expect([runs.length, kept.sort()]).toEqual([6, ['none', 'other']]);
  const samples = await db().select().from(botSample).where(eq(botSample.projectId, projectId));
  expect(samples.map(({ name }) => name).sort()).toEqual(['a value', 'another', 'none', 'other']);
});

test('the audit log says who asked, why and how much, and its chain holds', async () => {
  const stop = startSealing();
  onTestFinished(stop);
  const world = await makeWorld();
  const patient = await make(world, { resourceType: 'Patient' });
  for (let n = 0; n < 3; n += 1) await make(world, observation(patient));
  const { id } = await erased(world, patient);
  await flushSeals();
  const { rows } = (await world.call('GET', '/audit?action=record.*')).body;
  expect(rows.map(({ action }: { action: string }) => action)).toEqual([
    'record.erase',
    'record.erase',
    'record.erasure',
  ]);
  expect(rows[0]).toMatchObject({
    target: { reference: `Patient/${patient}` },
    after: { job: id, done: true, erased: { Patient: 1, Observation: 3 } },
  });
  expect(rows[2]).toMatchObject({
    actor: { display: 'Olga Owner' },
    after: { job: id, reason: REASON, erases: 4, keeps: 0 },
  });
  const before = await db().execute(sql`
    select before, after from audit_event where project_id = ${world.projectId} and target like 'Observation/%'`);
  expect(before.map(({ before, after }) => [before, after])).toEqual(
    Array.from({ length: 3 }, () => [null, { version: 1 }]),
  );
  const lines = (await world.call('GET', '/audit/export?format=chain')).text.trimEnd().split('\n');
  const { keys } = (await callAuth('GET', '/.well-known/audit-keys.json')).body;
  expect((await verifyChain({ lines, keys, kept: [] })).breaks).toEqual([]);
});

test('a process that is cut off in the middle loses nothing: the next one goes on where it was', async () => {
  const world = await makeWorld();
  const patient = await make(world, { resourceType: 'Patient' });
  for (let n = 0; n < 15; n += 1)
    await Promise.all(Array.from({ length: 30 }, () => make(world, observation(patient))));
  const asked = await ask(world, patient);
  expect(asked.body.total).toBe(451);
  const stopping = new AbortController();
  const running = runErasures(CTX, stopping.signal);
  await expect.poll(async () => (await world.call('GET', '/erasures')).body.rows[0].state).toBe('running');
  stopping.abort();
  await running;
  const half = (await world.call('GET', '/erasures')).body.rows[0];
  expect(half.finishedAt).toBeNull();
  await runErasures(CTX);
  const done = (await world.call('GET', '/erasures')).body.rows[0];
  expect(done).toMatchObject({ state: 'done', erased: { Patient: 1, Observation: 450 } });
});

test('whoever writes meanwhile is told, and nothing of a record is left half: members, changes, deletions', async () => {
  const world = await makeWorld();
  for (let at = 0; at < 4; at++) {
    const patient = await make(world, { resourceType: 'Patient' });
    const own = await Promise.all(Array.from({ length: 10 }, () => make(world, observation(patient))));
    const profile = { reference: `Patient/${patient}` };
    const body = { resourceType: 'Patient', firstName: 'A', lastName: 'B', email: `${newId()}@example.com` };
    const [asked, invited, ...written] = await Promise.all([
      ask(world, patient),
      world.call('POST', '/invite', { body: { ...body, membership: { profile } } }),
      ...own.map((id, n) =>
        n % 2
          ? fhir(world, 'DELETE', `Observation/${id}`)
          : fhir(world, 'PUT', `Observation/${id}`, { ...observation(patient, { note: [{ text: `${n}` }] }), id }),
      ),
      ...own.map((id) => fhir(world, 'PUT', `Observation/${id}`, { ...observation(patient), id, status: 'amended' })),
      runErasures(CTX).then(() => ({ status: 200 })),
    ]);
    expect([
      [202, 400],
      [409, 200],
    ]).toContainEqual([asked.status, invited.status]);
    for (const { status } of written) expect([200, 201, 204, 409, 410]).toContain(status);
    if (asked.status !== 202) continue;
    await runErasures(CTX);
    for (const id of own) expectOutcome(await fhir(world, 'GET', `Observation/${id}`), 410);
    const rows = await db().execute(sql`
      select 1 from resource_history where project_id = ${world.projectId} and content like ${`%${patient}%`}`);
    expect(rows).toEqual([]);
  }
});
