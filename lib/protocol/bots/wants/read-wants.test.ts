import { expect, test } from 'vitest';
import { readWants } from './read-wants.ts';
import { keyOf } from './wants.ts';

const keys = async (...sources: string[]) => (await readWants(sources)).wants.map(keyOf);

test('calls of the client are read with the types that stand there', async () => {
  const source = `
    const patient = await medplum.readResource('Patient', id);
    await medplum.updateResource({ ...patient, active: true });
    await medplum.createResource<Observation>(made);
    await medplum.createResource({ resourceType: 'Basic', code: {} });
    for (const task of await medplum.searchResources('Task', { status: 'ready' })) await medplum.updateResource(task);
    await medplum.deleteResource('Flag', 'x');`;
  expect(await keys(source)).toEqual([
    'resource Basic create',
    'resource Flag delete',
    'resource Observation create',
    'resource Patient read',
    'resource Patient update',
    'resource Task search',
    'resource Task update',
  ]);
});

test('types are known by annotations, assertions, constants and what comes in', async () => {
  const source = `
    const TYPE = 'Encounter';
    export async function handler(medplum: MedplumClient, event: BotEvent<Patient>): Promise<void> {
      const report: DiagnosticReport = make();
      await medplum.upsertResource(report, 'identifier=x');
      await medplum.updateResource(event.input);
      await medplum.createResource(x as Communication);
      await medplum.search(TYPE, 'status=finished');
      await medplum.readReference({ reference: \`Practitioner/\${id}\` });
    }`;
  expect(await keys(source)).toEqual([
    'resource Communication create',
    'resource DiagnosticReport create',
    'resource DiagnosticReport search',
    'resource DiagnosticReport update',
    'resource Encounter search',
    'resource Patient update',
    'resource Practitioner read',
  ]);
});

test('entries of a Bundle are read by what they ask for', async () => {
  const source = `
    await medplum.executeBatch({ resourceType: 'Bundle', type: 'batch', entry: [
      { request: { method: 'POST', url: 'Patient' }, resource },
      { request: { method: 'GET', url: 'Task?status=ready' } },
      { request: { method: 'PUT', url: \`Basic/\${id}\` } },
    ] });`;
  expect(await keys(source)).toEqual(['resource Basic update', 'resource Patient create', 'resource Task search']);
});

test('hosts are read as URLs have them, also behind a constant or in front of a hole', async () => {
  const source = `
    const BASE = 'https://Lab.Example/v1';
    await fetch(\`\${BASE}/orders\`);
    await fetch(\`https://api.example.com/\${id}\`, { method: 'POST' });
    await fetch(new URL('https://b.example:8443/x'));
    await fetch('https://a.example' + path);`;
  expect(await keys(source)).toEqual(['host api.example.com', 'host b.example', 'host lab.example']);
});

test('secrets are read by their names however they are taken', async () => {
  const source = `
    const { TOKEN, 'other': o } = event.secrets;
    const { secrets } = event;
    send(event.secrets.API_KEY.valueString, event.secrets['A-B']?.valueString, secrets.LAST);`;
  expect(await keys(source)).toEqual(['secret A-B', 'secret API_KEY', 'secret LAST', 'secret TOKEN', 'secret other']);
});

test('what is made while it runs is named as unclear, with its line', async () => {
  const source = `await medplum.createResource(build());
    await fetch(address);
    await fetch(\`https://\${host}/x\`);
    event.secrets[name];`;
  expect(await readWants([source])).toEqual({
    wants: [],
    unclear: [
      { call: 'createResource', line: 1 },
      { call: 'fetch', line: 2 },
      { call: 'fetch', line: 3 },
      { call: 'event.secrets', line: 4 },
    ],
  });
});

test('mail, other bots and tokens are calls of their own; what only looks alike is none', async () => {
  const source = `
    await medplum.sendEmail({ to: 'x' });
    await medplum.executeBot(id, {});
    'text'.search(/x/);
    queue.invite(me);
    // medplum.deleteResource('Patient', '1')`;
  expect(await keys(source)).toEqual(['call executeBot', 'call sendEmail']);
});

test('source that does not compile, of several files or too long, is read as far as it can be', async () => {
  expect(await keys('await medplum.readResource("Patient", ; {{{', 'medplum.search("Task")')).toEqual([
    'resource Patient read',
    'resource Task search',
  ]);
  expect((await readWants(['x'.repeat(256 * 1024 + 1)])).unclear).toHaveLength(1);
  const half = 'x'.repeat(129 * 1024);
  expect((await readWants([half])).unclear).toEqual([]);
  expect((await readWants([half, half, 'x'])).unclear).toHaveLength(2);
});

test('a text that doubles with each line, and an expression that is very long, are read no further than they tell', async () => {
  const doubled = Array.from({ length: 40 }, (_, index) => `const a${index + 1} = a${index} + a${index};`);
  const long = `medplum.createResource(${'x + '.repeat(3000)}x);`;
  const source = `const a0 = 'Patient/123456789';${doubled.join('')}${long} medplum.deleteResource('Flag', a40);`;
  expect(await readWants([source])).toEqual({
    wants: [{ kind: 'resource', type: 'Flag', interaction: 'delete' }],
    unclear: [{ call: 'createResource', line: 1 }],
  });
});
