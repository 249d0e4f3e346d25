import { beforeAll, expect, test } from 'vitest';
import { callFhir, expectIssue } from '#lib/testing/fhir/call-fhir.ts';
import { type Caller, type FhirProject, makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';

const SYSTEM = 'urn:attack:system';

let project: FhirProject;
let admin: Caller;
let systemId: string;

async function make(body: { resourceType: string }): Promise<string> {
  const made = await callFhir(admin, 'POST', body.resourceType, { body });
  expect(made.status, made.text.slice(0, 500)).toBe(201);
  return made.body.id;
}
const makeSet = (name: string, compose: object) =>
  make({ resourceType: 'ValueSet', ...{ url: `urn:attack:${name}`, status: 'active', compose } });
const codeSystem = (concept: object[], more: object = {}) => ({
  resourceType: 'CodeSystem',
  url: SYSTEM,
  status: 'active',
  content: 'complete',
  concept,
  ...more,
});
const expand = (name: string, more = '', caller = admin) =>
  callFhir(caller, 'GET', `ValueSet/$expand?url=urn:attack:${name}${more}`);

beforeAll(async () => {
  project = await makeFhirProject();
  admin = project.admin;
  systemId = await make(codeSystem([{ code: 'a', display: 'Ä' }, { code: 'b' }]));
  await makeSet('all', { include: [{ system: SYSTEM }] });
});

test('rings of value sets, of fifty, of one that includes or excludes itself, end with an answer', async () => {
  for (let at = 0; at < 50; at += 1)
    await makeSet(`ring${at}`, { include: [{ valueSet: [`urn:attack:ring${(at + 1) % 50}`] }] });
  expectIssue(await expand('ring0'), 400, 'too-costly', 'url');
  await makeSet('self', { include: [{ valueSet: ['urn:attack:self'] }] });
  expectIssue(await expand('self'), 422, 'business-rule', 'ValueSet.compose');
  await makeSet('not-self', { include: [{ system: SYSTEM }], exclude: [{ valueSet: ['urn:attack:not-self'] }] });
  expectIssue(await expand('not-self'), 422, 'business-rule', 'ValueSet.compose');
  expectIssue(await callFhir(admin, 'GET', 'Location?type:in=urn:attack:ring0'), 400, 'too-costly', 'type:in');
});

test('ten thousand parts, names and filters are refused before they are asked for', async () => {
  await makeSet('parts', {
    include: Array.from({ length: 10_000 }, () => ({ system: SYSTEM, concept: [{ code: 'a' }] })),
  });
  expectIssue(await expand('parts'), 400, 'too-costly');
  await makeSet('names', { include: [{ valueSet: Array.from({ length: 10_000 }, () => 'urn:attack:all') }] });
  expectIssue(await expand('names'), 400, 'too-costly');
  const filter = Array.from({ length: 10_000 }, () => ({ property: 'code', op: '=', value: 'a' }));
  await makeSet('filters', { include: [{ system: SYSTEM, filter }] });
  expectIssue(await expand('filters'), 422, 'business-rule');
  const regex = [{ property: 'code', op: 'regex', value: '(a+)+$' }];
  await makeSet('regex', { include: [{ system: SYSTEM, filter: regex }] });
  expectIssue(await expand('regex'), 422, 'business-rule');
  const unknown = [{ property: 'nowhere', op: '=', value: 'a' }];
  await makeSet('unknown', { include: [{ system: SYSTEM, filter: unknown }] });
  expectIssue(await expand('unknown'), 422, 'business-rule', 'ValueSet.compose');
});

test('what is asked strangely is answered, or refused by name', async () => {
  expect((await expand('all', '&count=1000000000')).body.expansion.contains).toHaveLength(2);
  expect((await expand('all', '&count=0')).body.expansion).toMatchObject({ total: 2 });
  expect((await expand('all', '&offset=1000000000')).body.expansion.contains).toBeUndefined();
  for (const [name, value] of [
    ['count', '1e9'],
    ['count', '99999999999'],
    ['offset', '-1'],
    ['filter', '%00'],
    ['displayLanguage', 'de'],
  ])
    expectIssue(await expand('all', `&${name}=${value}`), 400, 'invalid', name);
  expect((await expand('all', `&filter=${encodeURIComponent('ä')}`)).body.expansion.total).toBeGreaterThan(0);
  expect((await expand('all', `&filter=${encodeURIComponent("'; drop table concept; --")}`)).body.expansion.total).toBe(
    0,
  );
  const double = codeSystem(
    [
      { code: 'x', display: 'first' },
      { code: 'x', display: 'second' },
    ],
    { url: 'urn:attack:double' },
  );
  await make(double);
  const looked = await callFhir(admin, 'GET', 'CodeSystem/$lookup?system=urn:attack:double&code=x');
  expect(looked.text).toContain('first');
});

test('a system that is stored without its concepts is not said to lack a code', async () => {
  for (const content of ['not-present', 'supplement']) {
    const url = `urn:attack:${content}`;
    await make(codeSystem([{ code: 'x' }], { url, content, ...(content === 'supplement' && { supplements: SYSTEM }) }));
    expectIssue(
      await callFhir(admin, 'GET', `CodeSystem/$validate-code?url=${url}&code=a`),
      404,
      'not-found',
      'system',
    );
    expectIssue(await callFhir(admin, 'GET', `CodeSystem/$lookup?system=${url}&code=a`), 404, 'not-found', 'system');
  }
});

test('a hierarchy ten thousand deep is refused or kept, and never an error of ours', async () => {
  const depth = 10_000;
  const text = ['{"code":"c","concept":['.repeat(depth), '{"code":"c"}', ']}'.repeat(depth)].join('');
  const body = JSON.stringify(codeSystem([], { url: 'urn:attack:deep' })).replace(
    '"concept":[]',
    `"concept":[${text}]`,
  );
  const nested = await callFhir(admin, 'POST', 'CodeSystem', { body });
  expect([400, 422]).toContain(nested.status);
  const flat = Array.from({ length: 10_000 }, (_, at) => ({
    code: `c${at}`,
    ...(at > 0 && { property: [{ code: 'parent', valueCode: `c${at - 1}` }] }),
  }));
  const chain = await callFhir(admin, 'POST', 'CodeSystem', { body: codeSystem(flat, { url: 'urn:attack:chain' }) });
  expectIssue(chain, 400, 'too-costly', 'CodeSystem.concept');
});

test('who expands while it changes gets one version of it or another, whole', async () => {
  const put = (name: string) => {
    const concept = Array.from({ length: 20 }, (_, at) => ({ code: `${name}-${at}` }));
    return callFhir(admin, 'PUT', `CodeSystem/${systemId}`, { body: { ...codeSystem(concept), id: systemId } });
  };
  expect((await put('v')).status).toBe(200);
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, at) => (at % 2 === 0 ? put(`v${at}`) : expand('all', '&count=100'))),
  );
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  for (const { body } of answers.filter((_, at) => at % 2 === 1)) {
    const names = new Set((body.expansion.contains ?? []).map(({ code }: { code: string }) => code.split('-')[0]));
    expect([names.size, body.expansion.contains?.length]).toEqual([1, 20]);
  }
});

test('who may not read the terminology learns nothing of it by any way, of another project neither', async () => {
  const other = await makeFhirProject();
  const blind = await project.member([{ resourceType: 'Location' }]);
  const ways = [
    'ValueSet/$expand?url=urn:attack:all',
    `ValueSet/$validate-code?url=urn:attack:all&system=${SYSTEM}&code=a`,
    `CodeSystem/$lookup?system=${SYSTEM}&code=a`,
    `CodeSystem/$validate-code?url=${SYSTEM}&code=a`,
    'Location?type:in=urn:attack:all',
    `Location?type:below=${SYSTEM}|a`,
  ];
  for (const way of ways) {
    const nothing = way.replaceAll('attack', 'nowhere');
    for (const caller of [blind, other.admin]) {
      const [there, not] = [await callFhir(caller, 'GET', way), await callFhir(caller, 'GET', nothing)];
      expect([way, there.status]).toEqual([way, not.status]);
      expect(there.status).toBeGreaterThanOrEqual(400);
      expect(there.text.replaceAll('attack', 'nowhere').replace(/"id":"[^"]+"/, '')).toBe(
        not.text.replace(/"id":"[^"]+"/, ''),
      );
    }
  }
  const entry = ways.map((url) => ({ request: { method: 'GET', url } }));
  const batch = await callFhir(blind, 'POST', '', { body: { resourceType: 'Bundle', type: 'batch', entry } });
  for (const { response } of batch.body.entry) expect(response.status).toMatch(/^4/);
});
