import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { searchParamsOf } from '#lib/protocol/fhir/index/search-params.ts';
import { parseSearch } from '#lib/protocol/fhir/search/parse-search.ts';
import type { Resource } from '#lib/protocol/fhir/types.ts';
import type { Ctx } from '../../access/context.ts';
import { write } from '../../audit/write.ts';
import { createRow } from '../create-row.ts';
import { searchRows } from '../search-rows.ts';

const ctx: Ctx = { requestId: 'test', remoteAddress: '', userAgent: '' };

/** The names (their `id` in an identifier) of all rows, page by page. */
async function sorted(projectId: string, type: string, sort: string, count = 2): Promise<string[]> {
  const names: string[] = [];
  let cursor: string | undefined;
  do {
    const paging: [string, string][] = [
      ['_count', String(count)],
      ...(cursor ? [['_cursor', cursor] as [string, string]] : []),
    ];
    const { rows, next } = await searchRows(projectId, parseSearch(type, [['_sort', sort], ...paging], projectId), {
      op: 'all',
    });
    names.push(...rows.map(({ content }) => JSON.parse(content!).identifier[0].value));
    cursor = next;
  } while (cursor);
  return names;
}

async function store(projectId: string, type: string, all: Record<string, object>): Promise<void> {
  await write(ctx, async (w) => {
    w.audit({ projectId, action: 'resource.create', target: type });
    for (const [name, has] of Object.entries(all)) {
      const resource = {
        resourceType: type,
        identifier: [{ system: 'urn:n', value: name }],
        ...has,
      } as unknown as Resource;
      await createRow(w, projectId, resource, { author: undefined, id: name });
    }
  });
}

const UCUM = 'http://unitsofmeasure.org';
const amount = (value: number, code?: string) => ({ value, ...(code ? { system: UCUM, code } : {}) });

test.each([
  ['code', ['a', 'b', 'c', 'd', 'none']],
  ['-code', ['c', 'd', 'b', 'a', 'none']],
  ['subject', ['c', 'a', 'b', 'd', 'none']],
  ['-subject', ['b', 'a', 'c', 'd', 'none']],
  ['value-quantity', ['b', 'a', 'c', 'd', 'none']],
  ['-value-quantity', ['c', 'a', 'b', 'd', 'none']],
  ['combo-value-quantity', ['b', 'a', 'd', 'c', 'none']],
  ['status,-code', ['d', 'b', 'c', 'a', 'none']],
  ['_profile', ['d', 'a', 'b', 'c', 'none']],
  ['patient,-_id', ['c', 'a', 'b', 'none', 'd']],
])('Observation?_sort=%s', async (sort, order) => {
  const projectId = randomUUID();
  const patient = (id: string) => ({ subject: { reference: `Patient/${id}` } });
  await store(projectId, 'Observation', {
    a: {
      status: 'final',
      code: { text: 'Alpha', coding: [{ code: 'z' }] },
      ...patient('2'),
      valueQuantity: amount(2, 'g'),
      meta: { profile: ['urn:b'] },
    },
    b: {
      status: 'amended',
      code: { coding: [{ code: 'y', display: 'Beta' }] },
      ...patient('3'),
      valueQuantity: amount(500, 'mg'),
      meta: { profile: ['urn:c'] },
    },
    c: {
      status: 'final',
      code: { coding: [{ code: 'Gamma' }, { code: 'Zeta' }] },
      ...patient('1'),
      valueQuantity: amount(1, 'kg'),
      meta: { profile: ['urn:d'] },
    },
    d: {
      status: 'amended',
      code: { coding: [{ code: 'Pi' }] },
      component: [{ valueQuantity: amount(3, 'g') }, { valueQuantity: amount(900, 'g') }],
      meta: { profile: ['urn:z', 'urn:a'] },
    },
    none: {},
  });
  expect(await sorted(projectId, 'Observation', sort)).toEqual(order);
  expect(await sorted(projectId, 'Observation', sort, 1000)).toEqual(order);
});

test('Patient?_sort=deceased, telecom, general-practitioner', async () => {
  const projectId = randomUUID();
  await store(projectId, 'Patient', {
    a: {
      deceasedBoolean: true,
      telecom: [
        { system: 'phone', value: '1' },
        { system: 'email', value: 'b@x' },
      ],
    },
    b: { deceasedBoolean: false, telecom: [{ system: 'email', value: 'a@x' }] },
    c: { deceasedDateTime: '2020' },
  });
  expect(await sorted(projectId, 'Patient', '-deceased,telecom')).toEqual(['a', 'c', 'b']);
  expect(await sorted(projectId, 'Patient', 'email')).toEqual(['b', 'a', 'c']);
});

/** With indexes, extensions, systems of contact points, kinds of references and fields that must have a value on the way. */
const TYPES = [
  'ActivityDefinition',
  'Bundle',
  'Device',
  'InsurancePlan',
  'MedicationRequest',
  'Patient',
  'Person',
  'Procedure',
  'Task',
];

test('every parameter that may be sorted by is understood by PostgreSQL', async () => {
  const projectId = randomUUID();
  for (const type of TYPES) {
    for (const { code, supported, heard, inside, type: kind } of searchParamsOf(type)) {
      if (!supported || heard || inside || kind === 'composite' || kind === 'special' || code === '_compartment')
        continue;
      await searchRows(projectId, parseSearch(type, [['_sort', code]], projectId), { op: 'all' });
    }
  }
}, 120_000);
