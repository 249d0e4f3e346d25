import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fhirBase } from '#lib/base/fhir-base.ts';
import { watchStatements } from '#lib/infra/db/client.ts';
import { extract } from '#lib/protocol/fhir/index/extract.ts';
import { type Expr, evaluate } from '#lib/protocol/fhir/search/ir.ts';
import { parseSearch } from '#lib/protocol/fhir/search/parse-search.ts';
import type { Resource } from '#lib/protocol/fhir/types.ts';
import { drawsItsQuestions } from '#lib/testing/set-up/noted-statements.ts';
import type { Ctx } from '../../access/context.ts';
import { write } from '../../audit/write.ts';
import { createRow } from '../create-row.ts';
import { deleteRow } from '../delete-row.ts';
import { lockRow } from '../find-row.ts';
import { type Row, toResource } from '../row.ts';
import { searchRows } from '../search-rows.ts';
import { updateRow } from '../update-row.ts';

drawsItsQuestions();

const ALL: Expr = { op: 'all' };
const ctx: Ctx = { requestId: 'test', remoteAddress: '', userAgent: '' };
type Params = [string, string][];

function store(projectId: string, resources: Resource[]): Promise<Row[]> {
  return write(ctx, async (w) => {
    w.audit({ projectId, action: 'resource.create', target: 'Observation' });
    const rows: Row[] = [];
    for (const resource of resources) rows.push(await createRow(w, projectId, resource, { author: undefined }));
    return rows;
  });
}

async function find(projectId: string, type: string, params: Params): Promise<string[]> {
  const query = parseSearch(type, [...params, ['_count', '1000']], projectId);
  return (await searchRows(projectId, query, ALL)).rows.map((row) => row.id);
}

async function requireTwins(projectId: string, type: string, rows: Row[], searches: Params[]): Promise<void> {
  for (const search of searches) {
    const { filter } = parseSearch(type, search, projectId);
    const inMemory = rows.filter((row) => evaluate(filter, extract(projectId, toResource(row), fhirBase()), row));
    const inSql = await find(projectId, type, search);
    expect(inSql.toSorted(), JSON.stringify(search)).toEqual(inMemory.map((row) => row.id).toSorted());
  }
}

const UCUM = 'http://unitsofmeasure.org';
const numbers = fc.constantFrom(0, 1, -1, 4.99, 5, 5.4, 5.44, 5.45, 99.5, 100, 100.4, 5400, 0.0054, 1e6);
const texts = fc.constantFrom(
  '0',
  '-1',
  '5',
  '5.0',
  '5.4',
  '5.40',
  '1e2',
  '1.0e2',
  '100',
  '99.5',
  '5400',
  '0.0054',
  '54e2',
);
const prefixes = fc.constantFrom('', 'eq', 'ne', 'gt', 'lt', 'ge', 'le', 'sa', 'eb', 'ap');
const units = fc.constantFrom(
  {},
  { unit: 'g', system: UCUM, code: 'g' },
  { unit: 'mg', system: UCUM, code: 'mg' },
  { unit: 'degrees', system: UCUM, code: 'Cel' },
  { system: UCUM, code: '[degF]' },
  { unit: 'mg' },
  { unit: 'tablet', system: 'urn:x', code: 'tab' },
  { system: UCUM, code: 'nonsense' },
);
const comparators = fc.constantFrom({}, {}, {}, { comparator: '<' }, { comparator: '>=' });
const quantities = fc.tuple(numbers, units, comparators).map(([value, unit, more]) => ({ value, ...unit, ...more }));
const codes = fc
  .array(fc.tuple(fc.constantFrom(undefined, 'urn:a', 'urn:b'), fc.constantFrom('x', 'y', 'z')), {
    minLength: 1,
    maxLength: 2,
  })
  .map((pairs) => ({ coding: pairs.map(([system, code]) => ({ ...(system ? { system } : {}), code })) }));
const values = fc.oneof(
  quantities.map((valueQuantity) => ({ valueQuantity })),
  codes.map((valueCodeableConcept) => ({ valueCodeableConcept })),
  fc.constantFrom('Änne', 'ann arbor', 'bob').map((valueString) => ({ valueString })),
  fc.constantFrom('2020', '2020-02-03', '2021-01-01T10:00:00Z').map((valueDateTime) => ({ valueDateTime })),
  fc.constant({ valueSampledData: { origin: { value: 2 }, period: 10, dimensions: 1, factor: 2, data: '1 2 E 49' } }),
);
const observations: fc.Arbitrary<Resource> = fc
  .tuple(codes, values, fc.array(fc.tuple(codes, values), { maxLength: 2 }))
  .map(([code, value, parts]) => {
    const component = parts.map(([of, has]) => ({ code: of, ...has }));
    return { resourceType: 'Observation', status: 'final', code, ...value, component } as unknown as Resource;
  });

const asked = fc.constantFrom(
  '',
  '',
  `|${UCUM}|g`,
  `|${UCUM}|mg`,
  `|${UCUM}|[degF]`,
  '||mg',
  '||g',
  '|urn:x|tab',
  `|${UCUM}|nonsense`,
);
const measured = fc.tuple(prefixes, texts, asked).map((parts) => parts.join(''));
const named = fc.constantFrom('x', 'y', 'urn:a|x', 'urn:b|y', '|x', 'urn:a|');
const join = <T>(one: fc.Arbitrary<T>) => fc.array(one, { minLength: 1, maxLength: 3 }).map((all) => all.join(','));
const searches: fc.Arbitrary<[string, string]> = fc.oneof(
  fc.tuple(fc.constantFrom('value-quantity', 'component-value-quantity', 'combo-value-quantity'), join(measured)),
  fc.tuple(
    fc.constantFrom('code-value-quantity', 'component-code-value-quantity', 'combo-code-value-quantity'),
    join(fc.tuple(named, measured).map((parts) => parts.join('$'))),
  ),
  fc.tuple(
    fc.constantFrom('code-value-concept', 'component-code-value-concept', 'combo-code-value-concept'),
    join(fc.tuple(named, named).map((parts) => parts.join('$'))),
  ),
  fc.tuple(
    fc.constant('code-value-string'),
    join(fc.tuple(named, fc.constantFrom('ann', 'änne', 'B')).map((parts) => parts.join('$'))),
  ),
  fc.tuple(
    fc.constant('code-value-date'),
    join(
      fc
        .tuple(named, fc.constantFrom('2020', 'ge2020-02', 'lt2021', 'ne2020-02-03', 'ap2021'))
        .map((parts) => parts.join('$')),
    ),
  ),
  fc.tuple(
    fc.constantFrom('value-quantity:missing', 'combo-code-value-quantity:missing'),
    fc.constantFrom('true', 'false'),
  ),
);

test('SQL and memory agree on numbers, quantities and composites', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(observations, { minLength: 5, maxLength: 25 }),
      fc.array(fc.array(searches, { minLength: 1, maxLength: 1 }), { minLength: 25, maxLength: 25 }),
      async (resources, all) => {
        const projectId = randomUUID();
        await requireTwins(projectId, 'Observation', await store(projectId, resources), all);
      },
    ),
    { numRuns: 20 },
  );
}, 300_000);

const observed = (more: object) =>
  ({ resourceType: 'Observation', status: 'final', code: {}, ...more }) as unknown as Resource;
const mass = (value: number, code: string) => observed({ valueQuantity: { value, unit: code, system: UCUM, code } });

test.each([
  ['100', [99.5, 100, 100.49], [99.49, 100.5]],
  ['1e2', [95, 104.9], [94.9, 105]],
  ['100.00', [99.995, 100.0049], [99.99, 100.005]],
  ['ne100', [99.49, 100.5], [99.5, 100]],
  ['gt100', [100.1], [100]],
  ['ge100', [100], [99.9]],
  ['ap100', [90, 110], [89, 111]],
])('value-quantity=%s', async (value, within, without) => {
  const projectId = randomUUID();
  const rows = await store(
    projectId,
    [...within, ...without].map((number) => observed({ valueQuantity: { value: number } })),
  );
  const found = await find(projectId, 'Observation', [['value-quantity', value]]);
  expect(found.toSorted()).toEqual(
    rows
      .slice(0, within.length)
      .map(({ id }) => id)
      .toSorted(),
  );
});

test('a quantity is found in another unit of the same dimension', async () => {
  const projectId = randomUUID();
  const [grams, , milligrams] = await store(projectId, [
    mass(5.4, 'g'),
    mass(5.4, 'mg'),
    mass(5400, 'mg'),
    mass(5.4, 'm'),
  ]);
  const ids = [grams!.id, milligrams!.id].toSorted();
  expect((await find(projectId, 'Observation', [['value-quantity', `5.4|${UCUM}|g`]])).toSorted()).toEqual(ids);
  expect((await find(projectId, 'Observation', [['value-quantity', `5400|${UCUM}|mg`]])).toSorted()).toEqual(ids);
  expect(await find(projectId, 'Observation', [['value-quantity', '5400||mg']])).toEqual([milligrams!.id]);
});

test('a composite does not match across components', async () => {
  const projectId = randomUUID();
  const part = (code: string, value: number) => ({ code: { coding: [{ code }] }, valueQuantity: { value } });
  const [, high] = await store(projectId, [
    observed({ component: [part('8480-6', 119), part('8462-4', 130)] }),
    observed({ component: [part('8480-6', 121), part('8462-4', 70)] }),
  ]);
  for (const code of ['component-code-value-quantity', 'combo-code-value-quantity']) {
    expect(await find(projectId, 'Observation', [[code, '8480-6$gt120']])).toEqual([high!.id]);
  }
});

test('an update and a deletion take the numbers along', async () => {
  const projectId = randomUUID();
  const [row] = await store(projectId, [mass(5, 'g')]);
  const search = (value: string) => find(projectId, 'Observation', [['value-quantity', value]]);
  const change = (how: (w: Parameters<typeof updateRow>[0], current: Row) => Promise<unknown>) =>
    write(ctx, async (w) => {
      w.audit({ projectId, action: 'resource.update', target: 'Observation' });
      await how(w, (await lockRow(w.tx, projectId, 'Observation', row!.id))!);
    });
  await change((w, current) => updateRow(w, current, mass(7, 'g'), undefined));
  expect([await search('5'), await search('7')]).toEqual([[], [row!.id]]);
  await change((w, current) => deleteRow(w, current, undefined));
  expect(await search('7')).toEqual([]);
});

const spots = fc.tuple(
  fc.constantFrom(-89.9, -33.8, 0, 48.1, 48.2, 89.5),
  fc.constantFrom(-179.99, -0.1, 0, 11.5, 11.6, 179.99),
);
test('SQL and memory agree on what is near, also around the poles and where the day begins', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(spots, { minLength: 3, maxLength: 15 }),
      fc.array(fc.tuple(spots, fc.constantFrom('', '|10', '|100|km', '|5000|m', '|30000|mi')), {
        minLength: 10,
        maxLength: 10,
      }),
      async (all, circles) => {
        const projectId = randomUUID();
        const locations = all.map(([latitude, longitude]) => ({
          resourceType: 'Location',
          position: { latitude, longitude },
        }));
        const rows = await store(projectId, locations as unknown as Resource[]);
        const near = circles.map(([at, how]): Params => [['near', `${at.join('|')}${how}`]]);
        const several = near.slice(0, 3).flatMap((search) => search.map(([, value]) => value));
        await requireTwins(projectId, 'Location', rows, [...near, [['near', several.join(',')]]]);
      },
    ),
    { numRuns: 10 },
  );
  const projectId = randomUUID();
  const [munich] = await store(projectId, [
    { resourceType: 'Location', position: { latitude: 48.137, longitude: 11.575 } } as unknown as Resource,
  ]);
  expect(await find(projectId, 'Location', [['near', '48.2|11.6|10|km']])).toEqual([munich!.id]);
  expect(await find(projectId, 'Location', [['near', '48.2|11.6|5|km']])).toEqual([]);
}, 120_000);

test.each([
  ['value-quantity', 'x'],
  ['value-quantity', '5|a'],
  ['value-quantity', '5||'],
  ['value-quantity', '5|a|b|c'],
  ['value-quantity', '1e999'],
  ['value-quantity', `1${'0'.repeat(400)}`],
  ['code-value-quantity', 'a'],
  ['code-value-quantity', 'a$b'],
  ['code-value-quantity', 'a$5$6'],
  ['code-value-quantity', '$5'],
  ['code-value-quantity', '|$5'],
  ['code-value-date', 'a$b'],
])('%s=%s is refused with its name', (name, value) => {
  expect(() => parseSearch('Observation', [[name, value]], randomUUID())).toThrow(name);
});

const TYPES = 'http://terminology.hl7.org/CodeSystem/v2-0203';
const typed = (code: string, value: string) => ({
  system: 'urn:i',
  value,
  type: { coding: [{ system: TYPES, code }] },
});
test.each<[string, Record<string, object>, [string, string], string[]]>([
  [
    'Patient',
    { a: { identifier: [typed('MR', '7')] }, b: { identifier: [typed('SS', '7'), typed('MR', '8')] } },
    ['identifier:of-type', `${TYPES}|MR|7`],
    ['a'],
  ],
  [
    'Observation',
    {
      a: { subject: { identifier: { system: 'urn:i', value: '7' } } },
      b: { subject: { identifier: { value: '7' } } },
      c: { subject: { reference: 'Patient/7' } },
    },
    ['subject:identifier', 'urn:i|7'],
    ['a'],
  ],
  [
    'Observation',
    { a: { subject: { identifier: { system: 'urn:i', value: '7' } } }, b: { subject: { identifier: { value: '7' } } } },
    ['subject:identifier', '|7,8'],
    ['b'],
  ],
  [
    'Observation',
    { a: { subject: { identifier: { system: 'urn:i', value: '7' } } }, b: { subject: { identifier: { value: '7' } } } },
    ['subject:identifier', '7'],
    ['a', 'b'],
  ],
  [
    'ValueSet',
    { a: { url: 'http://acme.org/fhir/x' }, b: { url: 'http://acme.org/fhirx' }, c: { url: 'http://acme.org/fhir' } },
    ['url:below', 'http://acme.org/fhir/'],
    ['a', 'c'],
  ],
  [
    'ValueSet',
    { a: { url: 'http://acme.org/fhir/x' }, b: { url: 'http://acme.org/' }, c: { url: 'http://acme.org/fhir' } },
    ['url:above', 'http://acme.org/fhir'],
    ['b', 'c'],
  ],
  ['Observation', { a: { effectiveDateTime: '2001' }, b: { effectiveDateTime: '1900' } }, ['date', 'ap2002'], ['a']],
])('%s %j is found by %j', async (type, all, search, names) => {
  const projectId = randomUUID();
  const rows = await store(
    projectId,
    Object.values(all).map((has) => ({ resourceType: type, ...has }) as unknown as Resource),
  );
  const wanted = Object.keys(all).flatMap((name, at) => (names.includes(name) ? [rows[at]!.id] : []));
  expect((await find(projectId, type, [search])).toSorted()).toEqual(wanted.toSorted());
  await requireTwins(projectId, type, rows, [[search]]);
});

test('what would multiply is refused before it does', async () => {
  const projectId = randomUUID();
  const many = (of: string) => ({
    coding: Array.from({ length: 5000 }, (_, n) => ({ system: 'urn:s', code: `${of}${n}` })),
  });
  const parts = (units: (n: number) => string) =>
    Array.from({ length: 1000 }, (_, n) => ({ code: {}, valueQuantity: { value: n, system: UCUM, code: units(n) } }));
  const refused = [
    observed({ code: many('a'), valueCodeableConcept: many('b') }),
    observed({ component: parts((n) => `${n}g`) }),
  ];
  for (const resource of refused)
    await expect(store(projectId, [resource])).rejects.toMatchObject({ code: 'too-costly' });
  await store(projectId, [observed({ component: parts((n) => ['g', 'mg'][n % 2]!) })]);
  for (const [name, value] of [
    ['value-quantity', '5'],
    ['code-value-quantity', 'a$5'],
    ['near', '1|2'],
  ] as const) {
    const type = name === 'near' ? 'Location' : 'Observation';
    expect(() => parseSearch(type, [[name, Array(51).fill(value).join(',')]], projectId)).toThrow('at most 50');
  }
});

test('what PostgreSQL keeps of searches for numbers does not grow with their number', async () => {
  const projectId = randomUUID();
  const texts = new Set<string>();
  const stop = watchStatements((text) => texts.add(text));
  for (let count = 2; count < 40; count += 1) {
    const list = (of: (n: number) => string) => Array.from({ length: count }, (_, n) => of(n)).join(',');
    await find(projectId, 'Observation', [['value-quantity', list((n) => `${n}|${UCUM}|g`)]]);
    await find(projectId, 'Observation', [['combo-code-value-quantity', list((n) => `c${n}$ge${n}`)]]);
    await find(projectId, 'Location', [['near', list((n) => `${n}|${n}`)]]);
  }
  stop();
  // How many there are is first looked at, of numbers by one text whichever they are: five, and on a cluster again as its node is asked.
  expect(texts.size).toBeLessThanOrEqual(10);
});
