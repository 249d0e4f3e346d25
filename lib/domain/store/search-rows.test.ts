import { randomBytes, randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fhirBase } from '#lib/base/fhir-base.ts';
import { runText, watchStatements } from '#lib/infra/db/client.ts';
import { extract } from '#lib/protocol/fhir/index/extract.ts';
import { type Expr, evaluate } from '#lib/protocol/fhir/search/ir.ts';
import { parseSearch } from '#lib/protocol/fhir/search/parse-search.ts';
import type { Resource } from '#lib/protocol/fhir/types.ts';
import { drawsItsQuestions } from '#lib/testing/set-up/noted-statements.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { skipOnCluster } from '#lib/testing/set-up/skip-on-cluster.ts';
import type { Ctx } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { createRow } from './create-row.ts';
import { deleteRow } from './delete-row.ts';
import { lockRow } from './find-row.ts';
import { type Row, toResource } from './row.ts';
import { searchRows } from './search-rows.ts';
import { updateRow } from './update-row.ts';

drawsItsQuestions();

const ALL: Expr = { op: 'all' };
const ctx: Ctx = { requestId: 'test', remoteAddress: '', userAgent: '' };

function store(projectId: string, resources: Resource[]): Promise<Row[]> {
  return write(ctx, async (w) => {
    w.audit({ projectId, action: 'resource.create', target: 'Patient' });
    const rows: Row[] = [];
    for (const resource of resources) rows.push(await createRow(w, projectId, resource, { author: undefined }));
    return rows;
  });
}

async function find(projectId: string, type: string, params: [string, string][], reach = ALL): Promise<string[]> {
  const query = parseSearch(type, [...params, ['_count', '1000']], projectId);
  const { rows } = await searchRows(projectId, query, reach);
  return rows.map((row) => row.id);
}

const words = fc.constantFrom('Ann', 'Änne', 'anna', 'Bo', 'bob', 'Zoë', 'O,Neil', 'a|b', "x' or 1=1 --");
const dates = fc.constantFrom('1980', '1980-02', '1980-02-29', '1999-12-31', '2001-07', '2020-01-01');
const patients: fc.Arbitrary<Resource> = fc.record(
  {
    resourceType: fc.constant('Patient'),
    active: fc.boolean(),
    gender: fc.constantFrom('male', 'female', 'other', 'unknown'),
    birthDate: dates,
    name: fc.array(fc.record({ family: words, given: fc.array(words, { minLength: 1, maxLength: 2 }) }), {
      minLength: 1,
      maxLength: 2,
    }),
    identifier: fc.array(
      fc.record({ system: fc.constantFrom('urn:a', 'urn:b'), value: words }, { requiredKeys: ['value'] }),
      { minLength: 1, maxLength: 2 },
    ),
    generalPractitioner: fc.array(
      fc.constantFrom('Practitioner/1', 'Practitioner/2', 'Organization/1').map((reference) => ({ reference })),
      { minLength: 1, maxLength: 2 },
    ),
  },
  { requiredKeys: ['resourceType'] },
) as fc.Arbitrary<Resource>;

const escaped = words.map((word) => word.replace(/[\\,|$]/g, '\\$&'));
const several = <T>(one: fc.Arbitrary<T>) =>
  fc.array(one, { minLength: 1, maxLength: 3 }).map((values) => values.join(','));
const params: fc.Arbitrary<[string, string]> = fc.oneof(
  fc.tuple(fc.constantFrom('name', 'name:exact', 'name:contains', 'family', 'given:exact'), several(escaped)),
  fc.tuple(fc.constantFrom('gender', 'gender:not'), several(fc.constantFrom('male', 'female', 'unknown', 'nonsense'))),
  fc.tuple(fc.constantFrom('active', 'active:not'), fc.constantFrom('true', 'false')),
  fc.tuple(
    fc.constantFrom('identifier', 'identifier:not'),
    several(fc.tuple(fc.constantFrom('', 'urn:a|', 'urn:b|', '|'), escaped).map(([system, value]) => system + value)),
  ),
  fc
    .tuple(
      fc.constantFrom('general-practitioner', 'general-practitioner:not', 'general-practitioner:Practitioner'),
      several(fc.constantFrom('Practitioner/1', '1', 'Organization/1', '2')),
    )
    .filter(([name, value]) => !name.endsWith(':Practitioner') || !value.includes('/')),
  fc.tuple(
    fc.constant('birthdate'),
    several(
      fc
        .tuple(fc.constantFrom('', 'ne', 'gt', 'lt', 'ge', 'le', 'sa', 'eb'), dates)
        .map(([prefix, date]) => prefix + date),
    ),
  ),
  fc.tuple(
    fc.constantFrom(
      'birthdate:missing',
      'name:missing',
      'gender:missing',
      'identifier:missing',
      'general-practitioner:missing',
    ),
    fc.constantFrom('true', 'false'),
  ),
  fc.tuple(fc.constant('_lastUpdated'), fc.constantFrom('gt2001', 'lt2001', 'ge2020-01-01', 'ne2020')),
);

test('SQL and memory give the same answer to every filter, for every resource', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(patients, { minLength: 1, maxLength: 25 }),
      fc.array(fc.array(params, { minLength: 1, maxLength: 3 }), { minLength: 20, maxLength: 20 }),
      async (resources, searches) => {
        const projectId = randomUUID();
        const rows = await store(projectId, resources);
        for (const search of searches) {
          const { filter } = parseSearch('Patient', search, projectId);
          const inMemory = rows.filter((row) => evaluate(filter, extract(projectId, toResource(row), fhirBase()), row));
          const inSql = await find(projectId, 'Patient', search);
          expect(new Set(inSql), JSON.stringify(search)).toEqual(new Set(inMemory.map((row) => row.id)));
          expect(inSql.length).toBe(inMemory.length);
        }
      },
    ),
    { numRuns: 25 },
  );
}, 300_000);

test.each(['', 'ge', 'le', 'eq', 'gt', 'lt', 'sa', 'eb', 'ne'])(
  'the first and the last day are days: date=%s…',
  async (prefix) => {
    const projectId = randomUUID();
    const rows = await store(projectId, [{ resourceType: 'Patient', birthDate: '0001-01-01' }]);
    for (const day of ['0001', '0001-01-01', '9999', '9999-12-31']) {
      const { filter } = parseSearch('Patient', [['birthdate', prefix + day]], projectId);
      const fits = evaluate(filter, extract(projectId, toResource(rows[0]!), fhirBase()), rows[0]!);
      for (const sort of ['birthdate', '-birthdate', '_id']) {
        expect(
          (
            await find(projectId, 'Patient', [
              ['birthdate', prefix + day],
              ['_sort', sort],
            ])
          ).length,
        ).toBe(fits ? 1 : 0);
      }
    }
  },
);

/** Around the beginnings of days that are searched from: moments, an hour, what reaches into the day and what does not. */
const moments = fc.constantFrom(
  '1999-12-30T23:59:59.999Z',
  '1999-12-31T00:00:00Z',
  '1999-12-31T23:59:59Z',
  '1999-12-31T23:59:59.999Z',
  '2020-01-01T00:00:00.000Z',
  '2020-01-01T00:00:00.001Z',
  '2020-01-01T01:00:00Z',
);
const times = fc.oneof(dates, moments);
const periods = fc.record({ start: times, end: times }, { requiredKeys: [] }).map(({ start, end }) => {
  return start && end && start > end ? { start: end, end: start } : { start, end };
});
const encounters: fc.Arbitrary<Resource> = fc
  .option(periods, { nil: undefined })
  .map((period) => ({ resourceType: 'Encounter', period }) as unknown as Resource);
const prefixed = fc
  .tuple(fc.constantFrom('', 'ne', 'gt', 'lt', 'ge', 'le', 'sa', 'eb'), times)
  .map(([prefix, date]): [string, string] => ['date', prefix + date]);

test('periods are found by their dates, short or long, in every order, also those of before there was sort_end', async () => {
  const orders = fc.constantFrom<[string, string][]>([], [['_sort', 'date']], [['_sort', '-date,_id']]);
  await fc.assert(
    fc.asyncProperty(
      fc.array(encounters, { minLength: 1, maxLength: 20 }),
      fc.array(fc.tuple(fc.array(prefixed, { minLength: 1, maxLength: 2 }), orders, fc.nat(3)), {
        minLength: 12,
        maxLength: 12,
      }),
      fc.boolean(),
      async (resources, searches, areOld) => {
        const projectId = randomUUID();
        const rows = await store(projectId, resources);
        if (areOld) {
          await runText(
            db(),
            "update resource set sort_end = 'infinity' where project_id = $1 and sort_end is not null",
            [projectId],
          );
        }
        for (const [search, order, offset] of searches) {
          const { filter } = parseSearch('Encounter', search, projectId);
          const inMemory = rows.filter((row) => evaluate(filter, extract(projectId, toResource(row), fhirBase()), row));
          const inSql = await find(projectId, 'Encounter', [...search, ...order]);
          expect(inSql.toSorted(), JSON.stringify(search)).toEqual(inMemory.map((row) => row.id).toSorted());
          const paged: [string, string][] = [...search, ...order, ['_offset', String(offset)]];
          expect(await find(projectId, 'Encounter', paged)).toEqual(inSql.slice(offset));
          const reached: string[] = [];
          let cursor: string | undefined;
          do {
            const place: [string, string][] = cursor ? [['_cursor', cursor]] : [];
            const query = parseSearch('Encounter', [...search, ...order, ['_count', '3'], ...place], projectId);
            const page = await searchRows(projectId, query, ALL);
            reached.push(...page.rows.map((row) => row.id));
            cursor = page.next;
          } while (cursor);
          expect(reached).toEqual(inSql);
        }
      },
    ),
    { numRuns: 25 },
  );
}, 300_000);

test('a search sees neither another project nor another type, nor what was deleted', async () => {
  const [mine, other] = [randomUUID(), randomUUID()];
  const [kept, gone] = await store(mine, [
    { resourceType: 'Patient', identifier: [{ value: 'x' }] },
    { resourceType: 'Patient', identifier: [{ value: 'x' }] },
  ]);
  await store(other, [{ resourceType: 'Patient', identifier: [{ value: 'x' }] }]);
  await store(mine, [{ resourceType: 'Practitioner', identifier: [{ value: 'x' }] }]);
  await write(ctx, async (w) => {
    w.audit({ projectId: mine, action: 'resource.create', target: 'Patient' });
    await deleteRow(w, (await lockRow(w.tx, mine, 'Patient', gone!.id))!, undefined);
  });
  expect(await find(mine, 'Patient', [['identifier', 'x']])).toEqual([kept!.id]);
  expect(await find(mine, 'Patient', [])).toEqual([kept!.id]);
  expect(await find(mine, 'Patient', [['identifier:not', 'y']])).toEqual([kept!.id]);
});

test('the reach of a policy narrows rows and total alike', async () => {
  const projectId = randomUUID();
  const rows = await store(projectId, [{ resourceType: 'Patient', gender: 'male' }, { resourceType: 'Patient' }]);
  const reach: Expr = { op: 'id', anyOf: [rows[1]!.id] };
  const query = parseSearch('Patient', [['_total', 'accurate']], projectId);
  const found = await searchRows(projectId, query, reach);
  expect(found.rows.map((row) => row.id)).toEqual([rows[1]!.id]);
  expect(found.total).toBe(1);
  expect((await searchRows(projectId, query, { op: 'none' })).total).toBe(0);
});

test('an update moves a resource to its new values in every index', async () => {
  const projectId = randomUUID();
  const [row] = await store(projectId, [
    { resourceType: 'Patient', name: [{ family: 'Old' }], birthDate: '1990-01-01', gender: 'male' },
  ]);
  await write(ctx, async (w) => {
    w.audit({ projectId, action: 'resource.create', target: 'Patient' });
    const current = (await lockRow(w.tx, projectId, 'Patient', row!.id))!;
    const next = { resourceType: 'Patient', name: [{ family: 'New' }], birthDate: '2000-01-01', gender: 'female' };
    await updateRow(w, current, next, undefined);
  });
  for (const search of [
    ['name', 'old'],
    ['birthdate', '1990'],
    ['gender', 'male'],
  ] as [string, string][]) {
    expect(await find(projectId, 'Patient', [search]), search[0]).toEqual([]);
  }
  for (const search of [
    ['name', 'new'],
    ['birthdate', '2000'],
    ['gender', 'female'],
  ] as [string, string][]) {
    expect(await find(projectId, 'Patient', [search]), search[0]).toEqual([row!.id]);
  }
});

test.each([
  ['family', ['b', 'a', 'c'], [1, 0, 2, 3]],
  ['-family', ['b', 'a', 'c'], [2, 0, 1, 3]],
])('_sort=%s puts who has no value last', async (sort, families, order) => {
  const projectId = randomUUID();
  const named = families.map((family) => ({ resourceType: 'Patient', name: [{ family }] }));
  const rows = await store(projectId, [...named, { resourceType: 'Patient' }]);
  expect(await find(projectId, 'Patient', [['_sort', sort]])).toEqual(order.map((index) => rows[index]!.id));
});

test('pages follow each other without a gap or a repeat', async () => {
  const projectId = randomUUID();
  await store(
    projectId,
    Array.from({ length: 7 }, () => ({ resourceType: 'Patient' })),
  );
  const seen: string[] = [];
  for (const offset of [0, 3, 6]) {
    const query = parseSearch(
      'Patient',
      [
        ['_count', '3'],
        ['_offset', String(offset)],
      ],
      projectId,
    );
    const { rows, next } = await searchRows(projectId, query, ALL);
    seen.push(...rows.map((row) => row.id));
    expect(next !== undefined).toBe(offset < 6);
  }
  expect(new Set(seen).size).toBe(7);
});

/** All pages of a search, one row after the other; `between` happens after each page. */
async function walk(projectId: string, params: [string, string][], between: () => Promise<unknown>): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const paging: [string, string][] = [
      ['_count', '3'],
      ...(cursor ? ([['_cursor', cursor]] as [string, string][]) : []),
    ];
    const { rows, next } = await searchRows(projectId, parseSearch('Patient', [...params, ...paging], projectId), ALL);
    ids.push(...rows.map((row) => row.id));
    cursor = next;
    await between();
  } while (cursor);
  return ids;
}

test('pages by cursor neither lose nor repeat a row, in any order, whatever others write meanwhile', async () => {
  const keys = fc.constantFrom('name', 'family', 'birthdate', 'death-date', '_id', '_lastUpdated');
  const sorts = fc
    .uniqueArray(keys, { maxLength: 3 })
    .chain((codes) => fc.tuple(...codes.map((code) => fc.constantFrom(code, `-${code}`))));
  // What a token finds is sorted by date in one piece, everything else in several.
  const led = fc.constantFrom<[string, string][]>([], [['general-practitioner', 'Practitioner/1,Organization/1']]);
  await fc.assert(
    fc.asyncProperty(
      fc.array(patients, { minLength: 4, maxLength: 14 }),
      sorts,
      led,
      async (resources, sort, asked) => {
        const projectId = randomUUID();
        await store(projectId, resources);
        const params: [string, string][] = sort.length > 0 ? [...asked, ['_sort', sort.join(',')]] : asked;
        const whole = await find(projectId, 'Patient', params);
        const others = new Set<string>();
        const paged = await walk(projectId, params, async () => {
          for (const row of await store(projectId, resources.slice(0, 2))) others.add(row.id);
        });
        expect(paged.filter((id) => !others.has(id))).toEqual(whole);
        expect(new Set(paged).size).toBe(paged.length);
      },
    ),
    { numRuns: 40 },
  );
}, 300_000);

test('what a reference finds is sorted by date in one statement, with those that lack the date last', async () => {
  const projectId = randomUUID();
  const generalPractitioner = [{ reference: 'Practitioner/1' }];
  const born = (birthDate?: string) => ({ resourceType: 'Patient', generalPractitioner, birthDate }) as Resource;
  const rows = await store(projectId, [born(), born('1980'), born('1999')]);
  let sent = 0;
  const stop = watchStatements(() => {
    sent += 1;
  });
  const found = await find(projectId, 'Patient', [
    ['general-practitioner', 'Practitioner/1'],
    ['_sort', '-birthdate'],
  ]);
  stop();
  expect([found, sent]).toEqual([[2, 1, 0].map((at) => rows[at]!.id), 1]);
});

test('a cursor of another order, type or secret is refused, and so is anything else', async () => {
  const projectId = randomUUID();
  await store(projectId, [{ resourceType: 'Patient' }, { resourceType: 'Patient' }]);
  const page = (type: string, ...params: [string, string][]) =>
    searchRows(projectId, parseSearch(type, [['_count', '1'], ...params], projectId), ALL);
  const { next } = await page('Patient');
  expect((await page('Patient', ['_cursor', next!])).rows.length).toBe(1);
  const refused = [
    () => page('Practitioner', ['_cursor', next!]),
    () => page('Patient', ['_cursor', next!], ['_sort', 'birthdate']),
    () => page('Patient', ['_cursor', `${next}x`]),
    () => page('Patient', ['_cursor', `v1.${'A'.repeat(200)}`]),
    () => page('Patient', ['_cursor', 'x']),
  ];
  for (const attempt of refused) await expect(attempt()).rejects.toMatchObject({ code: 'invalid' });
  expect(() => page('Patient', ['_cursor', 'x'.repeat(20_000)])).toThrow('_cursor');
  expect(() => page('Patient', ['_cursor', next!], ['_offset', '1'])).toThrow('_cursor');
});

test.for(['name', '-name', 'death-date', '-death-date'])(
  'sorted by %s, the values of a row are found by its id, also while the planner has no statistics',
  async (sort, test) => {
    skipOnCluster(test, 'pages');
    const projectId = randomUUID();
    await store(projectId, [{ resourceType: 'Patient', name: [{ family: 'Ann' }] }]);
    const sent: { text: string; params: unknown[] }[] = [];
    const stop = watchStatements((text, params) => sent.push({ text, params }));
    await find(projectId, 'Patient', [['_sort', sort]]);
    stop();
    const { text, params } = sent.find((statement) => statement.text.includes('order by'))!;
    const plan = await db().$client.begin(async (tx) => {
      await tx`set local enable_seqscan = off`;
      await tx`delete from pg_statistic where starelid in ('ix_string'::regclass, 'ix_date'::regclass)`;
      const lines = await tx.unsafe(`explain ${text}`, params as never[]);
      return lines.map((line) => line['QUERY PLAN']).join('\n');
    });
    expect(plan).toMatch(/ix_(string|date)_id/);
    expect(plan).not.toMatch(/ix_(string|date)_value/);
  },
);

const ABOUT_NODES = /pg_dist_shard\b|pg_dist_local_group/;

test('what PostgreSQL keeps of searches does not grow with their number, nor with the number of their values', async () => {
  const projectId = randomUUID();
  const texts = new Set<string>();
  // On a cluster it is also looked again and again where projects are.
  const stop = watchStatements((text) => ABOUT_NODES.test(text) || texts.add(text));
  const words = (count: number) => Array.from({ length: count }, (_, n) => `w${n}`).join(',');
  const years = (count: number) => Array.from({ length: count }, (_, n) => `${1900 + n}`).join(',');
  for (let count = 2; count < 60; count += 1) {
    for (const [name, value] of [
      ['name', words(count)],
      ['name:contains', words(count)],
      ['name:exact', words(count)],
      ['identifier', words(count)],
      ['birthdate', years(count)],
      ['_lastUpdated', years(count)],
      ['_id', words(count)],
    ] as const) {
      await find(projectId, 'Patient', [[name, value]]);
    }
  }
  stop();
  // name:exact and identifier ask for tokens alike, a few of which are said twice.
  // Names are first looked at: how many are there?
  expect(texts.size).toBe(8);
});

test('a total is counted only where the page does not tell it', async () => {
  const projectId = randomUUID();
  await store(
    projectId,
    Array.from({ length: 5 }, () => ({ resourceType: 'Patient' })),
  );
  const first = await searchRows(projectId, parseSearch('Patient', [['_count', '2']], projectId), ALL);
  const cases: [[string, string][], number, number][] = [
    [[['_count', '20']], 5, 1],
    [[['_count', '5']], 5, 1],
    [[['_count', '4']], 5, 2],
    [
      [
        ['_count', '3'],
        ['_offset', '2'],
      ],
      5,
      1,
    ],
    [[['_offset', '9']], 5, 2],
    [
      [
        ['_count', '20'],
        ['_cursor', first.next!],
      ],
      5,
      2,
    ],
    [[['gender', 'other']], 0, 1],
    [[['_summary', 'count']], 5, 1],
    [[['_count', '0']], 5, 1],
  ];
  for (const [params, total, statements] of cases) {
    const texts: string[] = [];
    const stop = watchStatements((text) => texts.push(text));
    const query = parseSearch('Patient', [...params, ['_total', 'accurate']], projectId);
    const found = await searchRows(projectId, query, ALL);
    stop();
    expect([params, found.total, texts.length]).toEqual([params, total, statements]);
  }
});

test('a policy of many rules is one statement, however many they are', async () => {
  const projectId = randomUUID();
  const texts = new Set<string>();
  const stop = watchStatements((text) => texts.add(text));
  for (let rules = 2; rules < 40; rules += 1) {
    const args = Array.from({ length: rules }, (_, n) => {
      return parseSearch('Patient', [['identifier', `urn:x|${n}`]], projectId).filter;
    });
    await find(projectId, 'Patient', [], { op: 'or', args });
  }
  stop();
  expect(texts.size).toBe(1);
});

test('a page ends before it weighs too much, never without a row, and the next one goes on there', async () => {
  const projectId = randomUUID();
  const data = (size: number) => randomBytes(size).toString('base64');
  const sizes = [200_000, 100, 200_000, 100, 100];
  const photos = sizes.map((size): Resource => ({ resourceType: 'Patient', photo: [{ data: data(size) }] }) as never);
  const made = (await store(projectId, photos)).map(({ id }) => id);
  for (const sort of [[], [['_sort', 'family']]] as [string, string][][]) {
    const pages: string[][] = [];
    let cursor: string | undefined;
    do {
      const params: [string, string][] = [
        ...sort,
        ['_count', '10'],
        ...(cursor ? [['_cursor', cursor] as [string, string]] : []),
      ];
      const query = parseSearch('Patient', params, projectId);
      const { rows, next } = await searchRows(projectId, { ...query, mostBytes: 1_000_000 }, ALL);
      pages.push(rows.map(({ id }) => id));
      cursor = next;
    } while (cursor);
    expect(pages.flat().toSorted()).toEqual(made.toSorted());
    expect(pages.length).toBeGreaterThan(1);
    expect(pages.every(({ length }) => length > 0)).toBe(true);
  }
});

test('the common order is the one that the index has', async () => {
  const texts: string[] = [];
  const stop = watchStatements((text) => texts.push(text));
  await find(randomUUID(), 'Patient', []);
  stop();
  expect(texts.at(-1)).toContain('order by r.last_updated desc, r.id');
});
