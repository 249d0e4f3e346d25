import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { stopRunner } from '#lib/domain/runs/runner.ts';
import { mountedOperations } from '#lib/http/fhir/operations/mounted.ts';
import { startInvalidation, stopInvalidation } from '#lib/infra/db/invalidation.ts';
import { callApi } from '#lib/testing/call-api.ts';
import { callFhir } from '#lib/testing/fhir/call-fhir.ts';
import { type Caller, type FhirProject, makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';

/** Who asks: of two patients, one of whom (Seen) the criteria let through. Another kind of limit is a name more, and a letter more in each line. */
const CALLERS = [
  'no policy',
  'read-only',
  'criteria',
  'hidden fields',
  'another project',
  'an administrator whose policy is narrow',
  'a bot',
  'a client by its scope',
  'on behalf of the one with criteria',
  'a super-admin client whose policy is narrow',
  'criteria of a policy that theirs is based on',
] as const;
type CallerName = (typeof CALLERS)[number];

const LETTERS = { a: 'allowed', f: 'filtered', d: 'denied' } as const;
type Outcome = (typeof LETTERS)[keyof typeof LETTERS];

type Sent = { status: number; text: string };
type Ask = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Sent>;

/** `route`: as it is mounted, `METHOD path` or `$operation`. `outcomes`: by caller, in their order. `ids` are those of two patients. */
type Line = {
  name: string;
  routes: string[];
  outcomes: string;
  /** Whether its outcome is that this patient was changed, or how it was answered. Where nothing is said: what it shows. */
  changes?: 'it' | 'another';
  ask: (ask: Ask, id: string, tag: string) => Promise<Sent>;
};

const TYPE = '/fhir/R4/[type]';
const ONE = `${TYPE}/[id]`;
const PATIENT = { resourceType: 'Patient', gender: 'female', name: [{ family: 'Seen' }] };
const TAG = { resourceType: 'Parameters', parameter: [{ name: 'meta', valueMeta: { tag: [{ code: 'x' }] } }] };
const GENDER = 'gender=female,male';
const JSON_PATCH = { 'content-type': 'application/json-patch+json' };
const addLanguage = [{ op: 'add', path: '/language', value: 'de' }];
const bundle = (type: string, ...entry: object[]) => ({ resourceType: 'Bundle', type, entry });
const to = (method: string, url: string, more: object = {}) => ({ request: { method, url }, ...more });

/** What shows something of the two. */
const READING: Line[] = [
  { name: 'read', routes: [`GET ${ONE}`], outcomes: 'aaffddaafaf', ask: (ask, id) => ask('GET', `Patient/${id}`) },
  {
    name: 'vread',
    routes: [`GET ${ONE}/[op]/[vid]`],
    outcomes: 'aaffddaafaf',
    ask: (ask, id) => ask('GET', `Patient/${id}/_history/1`),
  },
  {
    name: 'history',
    routes: [`GET ${ONE}/[op]`],
    outcomes: 'aaffddaafaf',
    ask: (ask, id) => ask('GET', `Patient/${id}/_history`),
  },
  {
    name: 'history of the type',
    routes: [`GET ${ONE}`],
    outcomes: 'aaffddaafaf',
    ask: (ask) => ask('GET', 'Patient/_history'),
  },
  { name: 'history of all', routes: [`GET ${TYPE}`], outcomes: 'aaffddaafaf', ask: (ask) => ask('GET', '_history') },
  { name: 'search', routes: [`GET ${TYPE}`], outcomes: 'aaffddaafaf', ask: (ask) => ask('GET', `Patient?${GENDER}`) },
  {
    name: 'search by a form',
    routes: [`POST ${ONE}`],
    outcomes: 'aaffddaafaf',
    ask: (ask) => ask('POST', 'Patient/_search', new URLSearchParams(GENDER)),
  },
  {
    name: 'search of several types',
    routes: ['GET /fhir/R4'],
    outcomes: 'aaffddaafaf',
    ask: (ask) => ask('GET', '?_type=Patient'),
  },
  {
    name: 'search of several types by a form',
    routes: [`POST ${TYPE}`],
    outcomes: 'aaffddaafaf',
    ask: (ask) => ask('POST', '_search', new URLSearchParams('_type=Patient')),
  },
  {
    name: 'search in a compartment',
    routes: [`GET ${ONE}/[op]`],
    outcomes: 'aaffddaafaf',
    ask: (ask, id) => ask('GET', `Patient/${id}/Patient`),
  },
  {
    name: 'batch',
    routes: ['POST /fhir/R4'],
    outcomes: 'aaffddaafaf',
    ask: (ask, id) => ask('POST', '', bundle('batch', to('GET', `Patient/${id}`))),
  },
  {
    name: '$everything',
    routes: ['$everything'],
    outcomes: 'aaffddaafaf',
    ask: (ask, id) => ask('GET', `Patient/${id}/$everything`),
  },
];

/** What changes one of the two: its outcome is whether it was done of which. */
const WRITING: Line[] = [
  {
    name: 'update',
    changes: 'it',
    routes: [`PUT ${ONE}`],
    outcomes: 'adfaddddfdf',
    ask: async (ask, id, tag) => ask('PUT', `Patient/${id}`, { ...PATIENT, gender: tag, id, language: 'de' }),
  },
  {
    name: 'patch',
    changes: 'it',
    routes: [`PATCH ${ONE}`],
    outcomes: 'adfaddddfdf',
    ask: (ask, id) => ask('PATCH', `Patient/${id}`, JSON.stringify(addLanguage), JSON_PATCH),
  },
  {
    name: 'conditional update',
    changes: 'it',
    routes: [`PUT ${TYPE}`],
    outcomes: 'adfaddddfdf',
    ask: (ask, id, tag) => ask('PUT', `Patient?_id=${id}`, { ...PATIENT, gender: tag, language: 'fr' }),
  },
  {
    name: 'conditional patch',
    changes: 'it',
    routes: [`PATCH ${TYPE}`],
    outcomes: 'adfaddddfdf',
    ask: (ask, id) =>
      ask('PATCH', `Patient?_id=${id}`, JSON.stringify([{ op: 'add', path: '/language', value: 'it' }]), JSON_PATCH),
  },
  {
    name: '$meta-add',
    changes: 'it',
    routes: ['$meta-add'],
    outcomes: 'adfaddddfdf',
    ask: (ask, id) => ask('POST', `Patient/${id}/$meta-add`, TAG),
  },
  {
    name: '$meta-delete',
    changes: 'another',
    routes: ['$meta-delete'],
    outcomes: 'adfaddddfdf',
    ask: (ask, id) => ask('POST', `Patient/${id}/$meta-delete`, TAG),
  },
  {
    name: '$meta',
    changes: 'another',
    routes: ['$meta'],
    outcomes: 'aafaddaafaf',
    ask: (ask, id) => ask('GET', `Patient/${id}/$meta`),
  },
  {
    name: 'transaction',
    changes: 'it',
    routes: ['POST /fhir/R4'],
    outcomes: 'adfaddddfdf',
    ask: (ask, id, tag) =>
      ask(
        'POST',
        '',
        bundle(
          'transaction',
          to('PUT', `Patient/${id}`, { resource: { ...PATIENT, gender: tag, id, language: 'en' } }),
        ),
      ),
  },
  {
    name: 'create',
    changes: 'another',
    routes: [`POST ${TYPE}`],
    outcomes: 'adfaadddfdf',
    ask: (ask, _, tag) => ask('POST', 'Patient', { ...PATIENT, gender: tag }),
  },
  {
    name: 'conditional create',
    changes: 'another',
    routes: [`POST ${TYPE}`],
    outcomes: 'adfaadddfdf',
    ask: (ask, _, tag) =>
      ask('POST', 'Patient', { ...PATIENT, gender: tag }, { 'if-none-exist': 'identifier=urn:nobody|1' }),
  },
  {
    name: '$validate',
    changes: 'another',
    routes: ['$validate'],
    outcomes: 'adaaadddada',
    ask: (ask, _, tag) => ask('POST', 'Patient/$validate', { ...PATIENT, gender: tag }),
  },
  {
    name: 'delete',
    changes: 'it',
    routes: [`DELETE ${ONE}`],
    outcomes: 'adfaddddfdf',
    ask: (ask, id) => ask('DELETE', `Patient/${id}`),
  },
  {
    name: 'conditional delete',
    changes: 'it',
    routes: [`DELETE ${TYPE}`],
    outcomes: 'adfaddddfdf',
    ask: (ask, id) => ask('DELETE', `Patient?_id=${id}`),
  },
  {
    name: '$export of patients',
    changes: 'another',
    routes: ['$export'],
    outcomes: 'aaaaadaadaa',
    ask: (ask) => ask('GET', 'Patient/$export', undefined, { prefer: 'respond-async' }),
  },
];

const TERMINOLOGY = 'asks what a search of the terminology finds: terminology-attacks.test.ts';
const ITS_OWN = 'is of whoever began it: every-route.test.ts, export-attacks.test.ts, import.test.ts';
const NAMED = 'asks for a right of its own: operations.test.ts, programs.test.ts';
const OPEN = 'tells everybody the same';
/** Why there is no line of it: which test asks instead. */
const ELSEWHERE = new Map([
  [`POST ${ONE}/[op]`, 'searches in a compartment by a form, or has the name of an operation'],
  [`POST ${ONE}/[op]/[vid]`, 'searches in a compartment by a form'],
  ['GET /fhir/R4/metadata', OPEN],
  ['GET /fhir/R4/.well-known/smart-configuration', OPEN],
  ['GET /fhir/R4/export/[exportId]/[piece]', 'has its right in its link: export-attacks.test.ts'],
  ['GET /fhir/R4/export/[exportId]/status', ITS_OWN],
  ['DELETE /fhir/R4/export/[exportId]/status', ITS_OWN],
  ['GET /fhir/R4/import/[importId]/[file]', ITS_OWN],
  ['GET /fhir/R4/import/[importId]/status', ITS_OWN],
  ['DELETE /fhir/R4/import/[importId]/status', ITS_OWN],
  ['GET /fhir/R4/job/[jobId]/status', ITS_OWN],
  ['DELETE /fhir/R4/job/[jobId]/status', ITS_OWN],
  ['$expand', TERMINOLOGY],
  ['$expand-profile', 'finds what a search of profiles finds: expand-profile.test.ts'],
  ['$lookup', TERMINOLOGY],
  ['$translate', TERMINOLOGY],
  ['$validate-code', TERMINOLOGY],
  ['$deploy', NAMED],
  ['$execute', NAMED],
  ['$get-ws-binding-token', 'websockets.alone.test.ts'],
  ['$import', NAMED],
  ['$init', NAMED],
  ['$rescope', NAMED],
  ['$rotate-secret', NAMED],
  ['$update-email', NAMED],
]);
/** Of the administration, and the same for everybody who has signed in: what TypeScript is told of bots. */
const FOR_ALL = new Set(['GET /admin/bot-types']);

const APP = join(import.meta.dirname, '../../../app');
const MEMBERS = ['no policy', 'criteria', 'a client by its scope'] as const;

let project: FhirProject;
let asks: Record<CallerName, Ask>;
/** Of the project that has the two patients: of the super-admin client its own. */
/** The same, of whole paths. */
let callers: Record<(typeof MEMBERS)[number], Ask>;
let owners: Partial<Record<CallerName, Caller>>;
beforeAll(async () => {
  await startInvalidation();
  project = await makeFhirProject();
  const { admin, member, projectId } = project;
  const only = { resourceType: 'Patient', criteria: 'Patient?gender=female' };
  const by =
    (authorization: string, more: Record<string, string> = {}): Ask =>
    (method, path, body, headers) =>
      callFhir({ authorization } as never, method, path, { body, headers: { ...headers, ...more } });
  const token = async (authorization: string, form: Record<string, string>) => {
    const body = new URLSearchParams({ grant_type: 'client_credentials', ...form });
    const answer = await callApi(authorization, 'POST', '/oauth2/token', { body });
    expect(answer.status, answer.text).toBe(200);
    return `Bearer ${answer.body.access_token}`;
  };
  const limited = await member([only]);
  const base = { resourceType: 'AccessPolicy', name: 'Women', resource: [only] };
  const { body: women } = await callFhir(admin, 'POST', 'AccessPolicy', { body: base });
  const basedOn = [{ reference: `AccessPolicy/${women.id}` }];
  const scoped = await token((await member()).authorization, { scope: 'system/Patient.rs' });
  const whole =
    (authorization: string): Ask =>
    (method, path, body) =>
      callApi(authorization, method, path, { body });
  callers = {
    'no policy': whole((await member()).authorization),
    criteria: whole(limited.authorization),
    'a client by its scope': whole(scoped),
  };
  const root = await makeFhirProject(true);
  owners = { 'a super-admin client whose policy is narrow': root.admin };
  asks = {
    'no policy': by((await member()).authorization),
    'read-only': by((await member([{ resourceType: 'Patient', readonly: true }])).authorization),
    criteria: by(limited.authorization),
    'hidden fields': by((await member([{ resourceType: 'Patient', hiddenFields: ['name'] }])).authorization),
    'another project': by((await makeFhirProject()).admin.authorization),
    'an administrator whose policy is narrow': by(
      (await member([{ resourceType: 'Observation' }], { admin: true })).authorization,
    ),
    'a bot': await botOf(projectId, admin.authorization),
    'a client by its scope': by(scoped),
    'on behalf of the one with criteria': by(admin.authorization, {
      'x-medplum-on-behalf-of': `ProjectMembership/${limited.membershipId}`,
    }),
    'a super-admin client whose policy is narrow': by(
      (await root.member([{ resourceType: 'Patient', readonly: true }])).authorization,
    ),
    'criteria of a policy that theirs is based on': by((await member([], {}, { basedOn })).authorization),
  };
});
afterAll(async () => {
  await stopRunner();
  await stopInvalidation();
});

const CODE = `export async function handler(medplum, { input: [method, path, body, headers] }) {
  const answer = await medplum.fetch(medplum.getBaseUrl() + 'fhir/R4/' + path, { method, headers: { 'content-type': 'application/fhir+json', ...headers }, body });
  return { status: answer.status, text: await answer.text() };
}`;

/** One that may only read. */
async function botOf(projectId: string, authorization: string): Promise<Ask> {
  const body = { resourceType: 'AccessPolicy', name: 'x', resource: [{ resourceType: 'Patient', readonly: true }] };
  const policy = await callApi(authorization, 'POST', '/fhir/R4/AccessPolicy', { body });
  const accessPolicy = { reference: `AccessPolicy/${policy.body.id}` };
  const made = await callApi(authorization, 'POST', `/admin/projects/${projectId}/bot`, {
    body: { name: 'x', accessPolicy },
  });
  expect(made.status, made.text).toBe(201);
  const path = `/fhir/R4/Bot/${made.body.id}`;
  const deploy = { code: CODE, filename: 'index.ts' };
  expect((await callApi(authorization, 'POST', `${path}/$deploy`, { body: deploy })).status).toBe(200);
  return async (method, asked, sent, headers) => {
    const isForm = sent instanceof URLSearchParams;
    const text =
      sent === undefined || typeof sent === 'string' ? sent : isForm ? sent.toString() : JSON.stringify(sent);
    const more = isForm ? { 'content-type': 'application/x-www-form-urlencoded' } : headers;
    const answer = await callApi(authorization, 'POST', `${path}/$execute`, {
      body: [method, asked, text, more],
      headers: { 'content-type': 'application/json' },
    });
    return answer.status === 200 ? answer.body : { status: 599, text: answer.text };
  };
}

async function make(by: Caller, gender: string, family: string): Promise<string> {
  const { body } = await callFhir(by, 'POST', 'Patient', { body: { ...PATIENT, gender, name: [{ family }] } });
  return body.id;
}

/** Asked of one patient that the criteria let through, and of one that they do not. */
async function outcomeOf(line: Line, caller: CallerName): Promise<Outcome> {
  const owner = owners[caller] ?? project.admin;
  const ids = [await make(owner, 'female', 'Seen'), await make(owner, 'male', 'Unseen')] as const;
  const [seen, unseen] = [await line.ask(asks[caller], ids[0], 'female'), await line.ask(asks[caller], ids[1], 'male')];
  if (line.changes === undefined) return shownOf(line, [seen, unseen], ids);
  const done =
    line.changes === 'it' ? await Promise.all(ids.map((id) => isChanged(owner, id))) : [seen, unseen].map(isFine);
  return done.every(Boolean) ? 'allowed' : done.some(Boolean) ? 'filtered' : 'denied';
}

function shownOf({ name }: Line, said: Sent[], ids: readonly string[]): Outcome {
  const shown = said.map(({ text }) => text).join('');
  const names = ['"Seen"', '"Unseen"'].filter((family) => shown.includes(family)).length;
  if (names === 2) return 'allowed';
  const isTold = said.some(isFine) && ids.some((id) => shown.includes(id));
  expect(isTold || names === 0, name).toBe(true);
  return isTold ? 'filtered' : 'denied';
}

function isFine({ status, text }: Sent): boolean {
  return status < 300 && !text.includes('"status":"40');
}

async function isChanged(owner: Caller, id: string): Promise<boolean> {
  const { status, body } = await callFhir(owner, 'GET', `Patient/${id}`);
  return status === 410 || body.meta.versionId !== '1';
}

describe.each([
  ['what is shown', READING],
  ['what is changed', WRITING],
])('%s', (_, lines) => {
  test.each(lines)('$name', async (line) => {
    const outcomes: Outcome[] = [];
    for (const caller of CALLERS) outcomes.push(await outcomeOf(line, caller));
    expect(toTable(outcomes)).toEqual(
      toTable([...line.outcomes].map((letter) => LETTERS[letter as keyof typeof LETTERS])),
    );
  });
});

function toTable(outcomes: Outcome[]): Record<string, Outcome | undefined> {
  return Object.fromEntries(CALLERS.map((caller, at) => [caller, outcomes[at]]));
}

/** Every route below this root, with each method that it answers itself, from the disk. */
async function mountedBelow(root: string): Promise<string[]> {
  const paths = readdirSync(join(APP, root), { recursive: true, withFileTypes: true })
    .filter(({ name }) => name === 'route.ts')
    .map(({ parentPath }) => parentPath.slice(APP.length))
    .filter((path) => !path.includes('[...'));
  const routes = paths.map(async (path) => {
    const { OPTIONS } = await import(pathToFileURL(join(APP, path, 'route.ts')).href);
    const answer: Response = await OPTIONS(new Request('http://localhost/'), { params: Promise.resolve({}) });
    const allow = (answer.headers.get('allow') ?? '').split(', ');
    return allow.filter((method) => method !== 'HEAD' && method !== 'OPTIONS').map((method) => `${method} ${path}`);
  });
  return (await Promise.all(routes)).flat().sort();
}

test('every route and operation of FHIR has a line, or is told why not', async () => {
  const named = [...READING, ...WRITING].flatMap(({ routes }) => routes);
  const mounted = [...(await mountedBelow('fhir')), ...mountedOperations().map(({ name }) => `$${name}`)];
  expect([...new Set(mounted)].filter((route) => !named.includes(route) && !ELSEWHERE.has(route))).toEqual([]);
  expect([...named, ...ELSEWHERE.keys()].filter((route) => !mounted.includes(route))).toEqual([]);
});

test('every route of the administration is closed to who is no administrator, before anything else is looked at', async () => {
  const open: string[] = [];
  for (const route of [...(await mountedBelow('admin')), ...(await mountedBelow('scim'))]) {
    if (FOR_ALL.has(route)) continue;
    const [method, path] = route.split(' ') as [string, string];
    const filled = path.replace('[projectId]', project.projectId).replace(/\[\w+\]/g, () => newId());
    for (const caller of MEMBERS) {
      const answer = await callers[caller](method, filled, method === 'GET' || method === 'DELETE' ? undefined : {});
      if (![403, 404].includes(answer.status)) open.push(`${route}: ${caller} ${answer.status}`);
    }
  }
  expect(open).toEqual([]);
});
