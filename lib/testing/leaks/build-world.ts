import { expect, vi } from 'vitest';
import { callApi } from '../call-api.ts';
import { callFhir } from '../fhir/call-fhir.ts';
import { type Caller, makeFhirProject } from '../fhir/fhir-project.ts';
import type { World } from './make-world.ts';

/** Who asks: themselves, an administrator in their place, a bot that runs as they do. */
export type Asker = { self: Caller; admin: Caller; bot: string; names: Names };
/** What has an id that the server gave: `Binary/binary-0` to the real one. */
type Names = ReadonlyMap<string, string>;

/** What it is answered: a status and a text for each `[method, path, body, headers]`. */
const ASKS = `export async function handler(medplum, event) {
  const answers = [];
  for (const [method, path, body, more] of event.input) {
    const headers = { 'content-type': 'application/fhir+json', ...more };
    const answer = await medplum.fetch(medplum.getBaseUrl() + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    answers.push([answer.status, await answer.text()]);
  }
  return answers;
}`;

const IDS_ARE_CHOSEN = { setting: [{ name: 'updateCreate', valueBoolean: true }] };

/** A project of these, stored as everything is, and its member. */
export async function buildWorld(records: World['whole'], rules: World['rules']): Promise<Asker> {
  const { projectId, admin, member } = await makeFhirProject(false, IDS_ARE_CHOSEN);
  const chosen = records.filter(({ resourceType }) => resourceType !== 'Binary');
  const entry = chosen.map((resource) => {
    return { resource, request: { method: 'PUT', url: `${resource.resourceType}/${resource.id}` } };
  });
  await atOneInstant(() =>
    require200(callFhir(admin, 'POST', '', { body: { resourceType: 'Bundle', type: 'transaction', entry } })),
  );
  const names = await makeBinaries(records, admin);
  const patch = [{ op: 'replace', path: '/setting/0/valueBoolean', value: false }];
  const headers = { 'content-type': 'application/json-patch+json' };
  await require200(callFhir(admin, 'PATCH', `Project/${projectId}`, { body: JSON.stringify(patch), headers }));
  const bot = await makeBot(projectId, admin);
  // The rest of them another policy says, on which theirs is based.
  const own = rules.slice(0, Math.ceil(rules.length / 2));
  const resource = [...rules.slice(own.length), { resourceType: 'Bot', readonly: true }];
  const body = { resourceType: 'AccessPolicy', name: 'Base', resource };
  const base = await callFhir(admin, 'POST', 'AccessPolicy', { body });
  expect(base.status, base.text).toBe(201);
  const basedOn = [{ reference: `AccessPolicy/${base.body.id}` }];
  return { self: await member(own, {}, { basedOn }), admin, bot, names };
}

/** What has no order asked for comes by when it was changed, then by id: which of them a millisecond parts is another thing in each world. */
async function atOneInstant(make: () => Promise<void>): Promise<void> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  try {
    await make();
  } finally {
    vi.useRealTimers();
  }
}

async function makeBinaries(records: World['whole'], admin: Caller): Promise<Names> {
  const names = new Map<string, string>();
  for (const { id, ...body } of records.filter(({ resourceType }) => resourceType === 'Binary')) {
    const made = await callFhir(admin, 'POST', 'Binary', { body });
    expect(made.status, made.text).toBe(201);
    names.set(`Binary/${id}`, `Binary/${made.body.id}`);
  }
  return names;
}

async function makeBot(projectId: string, { authorization }: Caller): Promise<string> {
  const path = `/admin/projects/${projectId}/bot`;
  const made = await callApi(authorization, 'POST', path, { body: { name: 'Asks', runAsUser: true } });
  expect(made.status, made.text).toBe(201);
  const deploy = { code: ASKS, filename: 'index.ts' };
  await require200(callApi(authorization, 'POST', `/fhir/R4/Bot/${made.body.id}/$deploy`, { body: deploy }));
  return made.body.id;
}

async function require200(answer: ReturnType<typeof callApi>): Promise<void> {
  const { status, text } = await answer;
  expect(status, text).toBe(200);
}
