import { beforeAll, expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { type Call, callApi } from '#lib/testing/call-api.ts';
import { fillProject } from '#lib/testing/growth/fill-project.ts';
import { createSuperAdmin, createWorld, type World } from '#lib/testing/world.ts';

let world: World;
let root: string;
let ids: Record<string, string>;

beforeAll(async () => {
  world = await createWorld();
  root = await createSuperAdmin();
  ids = await fillProject(world);
});

const MANY = 10_000;
const LONG = 'x'.repeat(1_000_000);

const many = <T>(make: (number: number) => T): T[] => Array.from({ length: MANY }, (_, number) => make(number));
const listed = (make: (number: number) => string, separator = ',') => many(make).join(separator);

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const PATCH = { 'content-type': 'application/json-patch+json' };
const invite = (fields: object = {}) => ({
  resourceType: 'Practitioner',
  firstName: 'A',
  lastName: 'B',
  email: 'a@example.com',
  ...fields,
});
const policy = (resource: object[]) => ({ resourceType: 'AccessPolicy', name: 'P', resource });
const access = () => many(() => ({ policy: { reference: 'AccessPolicy/x' } }));
const search = (type: string, body: string): [string, string, Call] => [
  'POST',
  `/fhir/R4/${type}/_search`,
  { body, headers: FORM },
];

/** Each input that is a list, or grows with what is sent, with too many and with too long. `:p`: below the project. */
const INPUTS: [string, string, Call][] = [
  search('Patient', `_sort=${listed(() => '_id')}`),
  search(
    'Patient',
    listed(() => '_sort=_id', '&'),
  ),
  search(
    'Patient',
    listed(() => '_include=Patient:organization', '&'),
  ),
  search(
    'Patient',
    listed(() => '_revinclude=Observation:subject', '&'),
  ),
  search('Patient', `_elements=${listed((n) => `e${n}`)}`),
  search('Patient', `name=${listed((n) => `n${n}`)}`),
  search(
    'Patient',
    listed((n) => `name=n${n}`, '&'),
  ),
  search('Patient', `identifier=${listed((n) => `s|${n}`)}`),
  search('Patient', `identifier=${'a|'.repeat(MANY)}`),
  search('Patient', `birthdate=${listed((n) => `${1900 + (n % 100)}`)}`),
  search('Patient', `_id=${listed((n) => `i${n}`)}`),
  search('Patient', `_lastUpdated=${listed((n) => `${1900 + (n % 100)}`)}`),
  search('Patient', `name=${LONG}`),
  search('Patient', `_cursor=${LONG}`),
  search('Patient', `_sort=${LONG}`),
  search('ProjectMembership', `profile-type=${listed((n) => `T${n}`)}`),
  ['POST', '/fhir/R4/AccessPolicy', { body: policy(many(() => ({ resourceType: 'Patient' }))) }],
  [
    'POST',
    '/fhir/R4/AccessPolicy',
    { body: policy([{ resourceType: 'Patient', criteria: `Patient?identifier=${'a|'.repeat(MANY)}` }]) },
  ],
  [
    'POST',
    '/fhir/R4/AccessPolicy',
    { body: policy([{ resourceType: 'Patient', criteria: `Patient?identifier=${LONG}` }]) },
  ],
  [
    'POST',
    '/fhir/R4/AccessPolicy',
    { body: policy([{ resourceType: 'Patient', criteria: `Patient?${listed(() => 'active=true', '&')}` }]) },
  ],
  ['POST', '/fhir/R4/Bot', { body: { resourceType: 'Bot', name: 'B', category: many((n) => ({ text: `c${n}` })) } }],
  ['POST', '/fhir/R4/Bot', { body: { resourceType: 'Bot', name: LONG } }],
  [
    'POST',
    '/fhir/R4/ClientApplication',
    { body: { resourceType: 'ClientApplication', name: 'C', redirectUris: many((n) => `https://a.test/${n}`) } },
  ],
  ['PATCH', '/fhir/R4/:type/:id', { body: many(() => ({ op: 'test', path: '/active', value: true })), headers: PATCH }],
  ['PATCH', '/fhir/R4/:type/:id', { body: [{ op: 'add', path: `/${LONG}`, value: 1 }], headers: PATCH }],
  ['PATCH', '/fhir/R4/:type/:id', { body: [{ op: 'add', path: '/'.repeat(7_000_000), value: 1 }], headers: PATCH }],
  [
    'PATCH',
    ':p/members/:membershipId',
    { body: [{ op: 'test', path: '/a'.repeat(500_000), value: 1 }], headers: PATCH },
  ],
  ['POST', '/fhir/R4/Patient', { body: ' '.repeat(15_000_000) }],
  ['POST', '/fhir/R4/Patient', { body: `{"resourceType":"Patient","multipleBirthInteger":${'1'.repeat(15_000_000)}}` }],
  [
    'PATCH',
    ':p/members/:membershipId',
    { body: many(() => ({ op: 'test', path: '/active', value: true })), headers: PATCH },
  ],
  [
    'POST',
    ':p/members/:membershipId',
    { body: { resourceType: 'ProjectMembership', id: ':membershipId', access: access() } },
  ],
  [
    'POST',
    ':p/members/:membershipId',
    { body: { resourceType: 'ProjectMembership', id: ':membershipId', identifier: many((n) => ({ value: `${n}` })) } },
  ],
  [
    'POST',
    ':p/members/:membershipId',
    { body: { resourceType: 'ProjectMembership', id: ':membershipId', userName: LONG } },
  ],
  ['POST', ':p/invite', { body: invite({ access: access() }) }],
  ['POST', ':p/invite', { body: invite({ membership: { identifier: many((n) => ({ value: `${n}` })) } }) }],
  ['POST', ':p/invite', { body: invite({ firstName: LONG }) }],
  ['POST', ':p/invite', { body: invite({ email: `${LONG}@example.com` }) }],
  ['POST', ':p/invite/batch', { body: many(() => invite()) }],
  ['POST', ':p/invite/preflight', { body: many(() => invite()) }],
  ['POST', ':p/jobs', { body: { action: 'invite', rows: many(() => invite()) } }],
  ['POST', ':p/jobs', { body: { action: 'deactivate', members: many(() => newId()) } }],
  ['POST', ':p/jobs', { body: { action: 'deactivate', search: LONG } }],
  ['POST', ':p/settings', { body: many((n) => ({ name: `S${n}`, valueString: 'x' })) }],
  ['POST', ':p/settings', { body: [{ name: 'S', valueString: LONG }] }],
  ['POST', ':p/secrets', { body: many((n) => ({ name: `S${n}`, valueString: 'x' })) }],
  ['POST', ':p/sites', { body: many((n) => ({ name: `S${n}`, domain: ['a.test'] })) }],
  ['POST', ':p/sites', { body: [{ name: 'S', domain: many((n) => `a${n}.test`) }] }],
  ['POST', ':p/sites', { body: [{ name: 'S', domain: ['a'.repeat(1_000_000)] }] }],
  ['POST', ':p/client', { body: { name: 'C', redirectUris: many((n) => `https://a.test/${n}`) } }],
  ['POST', ':p/client', { body: { name: 'C', access: access() } }],
  ['POST', ':p/client', { body: { name: LONG } }],
  ['POST', ':p/bot', { body: { name: 'B', identifier: many((n) => ({ value: `${n}` })) } }],
  ['POST', ':p/bot', { body: { name: 'B', description: LONG } }],
  ['GET', `:p/audit?action=${listed(() => 'login')}`, {}],
  ['GET', `:p/invites?membership=${listed(() => newId())}`, {}],
  ['GET', `:p/invites?q=${LONG}`, {}],
  ['GET', `:p/member-facts?membership=${listed(() => newId())}`, {}],
  ['POST', '/oauth2/token', { body: listed(() => 'scope=openid', '&'), headers: FORM }],
  ['POST', '/oauth2/token', { body: listed((n) => `k${n}=1`, '&'), headers: FORM }],
  ['POST', '/fhir/R4/Patient', { body: `{"resourceType":"Patient",${listed((n) => `"_k${n}":{}`)}}` }],
  [
    'POST',
    '/fhir/R4/Patient',
    { body: `{"resourceType":"Patient",${Array.from({ length: 300_000 }, (_, n) => `"_k${n}":{}`).join(',')}}` },
  ],
  ['POST', '/fhir/R4/Patient', { body: `{"resourceType":"Patient","language":"${'a '.repeat(1_000_000)}b"}` }],
  ['POST', '/oauth2/token', { body: `grant_type=${LONG}`, headers: FORM }],
  ['POST', '/auth/login', { body: { email: `${LONG}@example.com`, password: 'long enough' } }],
  ['POST', '/auth/login', { body: { email: 'a@example.com', password: LONG } }],
  [
    'POST',
    '/auth/newuser',
    { body: { firstName: LONG, lastName: 'B', email: 'a@example.com', password: 'long enough' } },
  ],
  ['POST', '/auth/newuser', { body: { firstName: 'A', lastName: 'B', email: 'a@example.com', password: LONG } }],
  ['POST', '/auth/resetpassword', { body: { email: `${LONG}@example.com` } }],
  ['POST', '/auth/setpassword', { body: { id: newId(), secret: LONG, password: 'long enough' } }],
  ['POST', '/auth/link/code', { body: { email: 'a@example.com', code: LONG } }],
  ['POST', '/auth/changepassword', { body: { oldPassword: LONG, newPassword: LONG } }],
  ['POST', '/admin/Project', { body: { resourceType: 'Project', name: LONG } }],
  ['POST', '/admin/Project', { body: { resourceType: 'Project', name: 'P', features: many((n) => `f${n}`) } }],
];

test.each(INPUTS)('%s %.60s: too much is refused (input %#)', async (method, path, { body, headers }) => {
  const fill = (text: string) =>
    text
      .replaceAll(':p/', `/admin/projects/${world.projectId}/`)
      .replaceAll(':type', ids.type!)
      .replaceAll('/:id', `/${ids.id}`)
      .replaceAll(':membershipId', ids.membershipId!);
  const text = body === undefined || typeof body === 'string' ? body : fill(JSON.stringify(body));
  const bearer = path === '/admin/Project' ? root : world.owner.bearer;
  const answer = await callApi(bearer, method, fill(path), { body: text, headers });
  expect(
    [answer.status >= 400 && answer.status < 500, answer.text.length < 200_000],
    answer.text.slice(0, 300),
  ).toEqual([true, true]);
  expect(answer.status).not.toBe(404);
});
