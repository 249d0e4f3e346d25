import { afterAll, beforeAll, expect, test } from 'vitest';
import { stopRunner } from '#lib/domain/runs/runner.ts';
import { deployedBot } from '#lib/testing/bots.ts';
import { callApi } from '#lib/testing/call-api.ts';
import { createWorld, type World } from '#lib/testing/world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(stopRunner);

const MIB = 1024 * 1024;

/** What the handler answers in a bot that imports the peer's client, and in one that does not. */
async function ofBoth(body: string, input: unknown = {}): Promise<unknown[]> {
  const answers = [];
  for (const head of [
    '',
    "import { getReferenceString } from '@medplum/core'; export const named = getReferenceString;",
  ]) {
    const bot = await deployedBot(world, `${head}\nexport async function handler(medplum, event) { ${body} }`);
    const answer = await callApi(world.owner.bearer, 'POST', `/fhir/R4/Bot/${bot}/$execute`, { body: input });
    expect(answer.status, answer.text).toBe(200);
    answers.push(answer.body);
  }
  return answers;
}

async function create(resource: object): Promise<string> {
  const made = await callApi(
    world.owner.bearer,
    'POST',
    `/fhir/R4/${(resource as { resourceType: string }).resourceType}`,
    {
      body: resource,
    },
  );
  expect(made.status, made.text).toBe(201);
  return made.body.id;
}

async function binary(bytes: Buffer, contentType: string): Promise<string> {
  const headers = { 'content-type': contentType };
  const made = await callApi(world.owner.bearer, 'POST', '/fhir/R4/Binary', { body: bytes, headers });
  expect(made.status, made.text).toBe(201);
  return made.body.id;
}

test('searchResources is a list of all that was found, with its Bundle, whatever a bot imports', async () => {
  const patient = await create({ resourceType: 'Patient' });
  const subject = { reference: `Patient/${patient}` };
  for (const status of ['final', 'amended', 'preliminary'])
    await create({ resourceType: 'Observation', status, code: { text: 'x' }, subject });
  const body = `
    const found = await medplum.searchResources('Observation', '_include=Observation:subject');
    const some = await medplum.searchResources('Observation', { status: ['final', 'amended'] });
    const one = await medplum.searchOne('Observation', 'status=final');
    return [found.map((one) => one.resourceType).sort(), found.bundle.type, some.length, one.status];`;
  const types = ['Observation', 'Observation', 'Observation', 'Patient'];
  for (const answer of await ofBoth(body)) expect(answer).toEqual([types, 'searchset', 2, 'final']);
});

test('a Binary has its bytes, text in any character set arrives as it is, and conditions say what they mean', async () => {
  const latin = Buffer.from('M\u00fcller;1', 'latin1');
  const id = await binary(latin, 'text/csv; charset=iso-8859-1');
  const body = `
    const read = await medplum.readResource('Binary', event.input.id);
    const named = await medplum.readReference({ reference: 'Binary/' + event.input.id });
    const bytes = new Uint8Array(await (await medplum.download('Binary/' + event.input.id)).arrayBuffer());
    const name = 'M\\u00fcller' + event.input.id;
    const organization = { resourceType: 'Organization', name };
    const [first, second] = [
      await medplum.createResourceIfNoneExist(organization, 'name=' + name),
      await medplum.createResourceIfNoneExist(organization, 'name=' + name),
    ];
    // A half of a pair and a line's end are no reason to fail, nor may they make a header of their own.
    const odd = 'name=' + name + '\\ud800\\r\\nx-other: 1';
    const third = await medplum.createResourceIfNoneExist({ ...organization, name: 'Odd' }, odd);
    const same = [first.id === second.id, first.id === third.id];
    return [read.data, named.data, [...bytes], ...same, medplum.isAuthenticated()];`;
  for (const answer of await ofBoth(body, { id }))
    expect(answer).toEqual([latin.toString('base64'), latin.toString('base64'), [...latin], true, false, true]);
});

test('what is long arrives, and what is too long is refused so that it can be caught', async () => {
  const id = await binary(Buffer.alloc(13 * MIB, 7), 'image/png');
  const body = `
    const blob = await medplum.download('Binary/' + event.input.id);
    const asked = medplum.createBinary({ data: new Uint8Array(17 * 1024 * 1024), contentType: 'image/png' });
    return [blob.size, await asked.then(() => 'made', (error) => error.outcome.issue[0].code)];`;
  const answers = await ofBoth(body, { id });
  for (const answer of answers) expect(answer).toEqual([13 * MIB, 'too-costly']);
});

test('a stream without an end is no answer for the client of a bot', async () => {
  const body = `
    const headers = { Accept: 'text/event-stream' };
    const asked = medplum.get('/admin/projects/' + event.input.project + '/runs/live', { headers });
    return asked.then(() => 'read', (error) => error.outcome.issue[0].details.text);`;
  const code = `export async function handler(medplum, event) { ${body} }`;
  const bot = await deployedBot(world, code);
  const runsAsUser = [{ op: 'add', path: '/runAsUser', value: true }];
  const patched = await callApi(world.owner.bearer, 'PATCH', `/fhir/R4/Bot/${bot}`, {
    body: runsAsUser,
    headers: { 'content-type': 'application/json-patch+json' },
  });
  expect(patched.status, patched.text).toBe(200);
  const answer = await callApi(world.owner.bearer, 'POST', `/fhir/R4/Bot/${bot}/$execute`, {
    body: { project: world.projectId },
  });
  expect(answer.text).toContain('stream');
});

test('a large batch whose bot writes a large batch itself waits for nothing of its own', async () => {
  const code = `export async function handler(medplum, event) {
    const one = { request: { method: 'POST', url: 'Basic' }, resource: { resourceType: 'Basic', code: { text: 'x'.repeat(700000) } } };
    const entry = [one, one];
    const answer = await medplum.executeBatch({ resourceType: 'Bundle', type: 'batch', entry });
    return answer.entry[0].response.status;
  }`;
  const bot = await deployedBot(world, code);
  const one = {
    request: { method: 'POST', url: 'Basic' },
    resource: { resourceType: 'Basic', code: { text: 'y'.repeat(700_000) } },
  };
  const entry = [
    one,
    one,
    {
      request: { method: 'POST', url: `Bot/${bot}/$execute` },
      resource: { resourceType: 'Parameters', parameter: [{ name: 'a', valueString: 'b' }] },
    },
  ];
  const answer = await callApi(world.owner.bearer, 'POST', '/fhir/R4', {
    body: { resourceType: 'Bundle', type: 'batch', entry },
  });
  expect(answer.status, answer.text).toBe(200);
  const statuses = answer.body.entry.map(({ response }: { response: { status: string } }) =>
    response.status.slice(0, 3),
  );
  expect(statuses, answer.text.slice(0, 500)).toEqual(['201', '201', '200']);
});
