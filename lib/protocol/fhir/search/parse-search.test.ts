import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '#lib/base/errors.ts';
import { BASE, PROJECT } from '../fixtures.ts';
import { extract } from '../index/extract.ts';
import { searchParam, searchParamsOf } from '../index/search-params.ts';
import { evaluate } from './ir.ts';
import { parseSearch } from './parse-search.ts';
import { escapeValue, splitValues } from './values.ts';

const memberships = (...params: [string, string][]) => parseSearch('ProjectMembership', params, PROJECT);

describe('parseSearch', () => {
  it('has defaults', () => {
    expect(memberships()).toEqual({
      type: 'ProjectMembership',
      linked: [],
      filter: { op: 'all' },
      count: 20,
      offset: 0,
      sort: [],
      total: undefined,
      include: [],
      revinclude: [],
      self: [],
    });
  });

  it('lowers _count to 1000 and says so in the self link', () => {
    expect(memberships(['_count', '5000'], ['active', 'true'])).toMatchObject({
      count: 1000,
      self: [
        ['_count', '1000'],
        ['active', 'true'],
      ],
    });
  });

  it.each<[string, [string, string][]]>([
    ['_sort', [['_sort', Array.from({ length: 4000 }, () => '_id').join(',')]]],
    ['_sort', [['_sort', 'profile-type,-profile-type']]],
    [
      '_sort',
      [
        ['_sort', '_id'],
        ['_sort', '-_id'],
      ],
    ],
    ['_include', Array.from({ length: 17 }, () => ['_include', 'ProjectMembership:user'])],
    ['_revinclude', Array.from({ length: 17 }, () => ['_revinclude', 'ProjectMembership:user'])],
    ['_elements', [['_elements', Array.from({ length: 101 }, (_, n) => `a${n}`).join(',')]]],
  ])('takes only so many of %s', (expression, params) => {
    expect(() => memberships(...params)).toThrow(
      expect.objectContaining({ code: 'invalid', issues: [expect.objectContaining({ expression })] }),
    );
  });

  it('reads what shapes the answer', () => {
    const query = memberships(
      ['_count', '0'],
      ['_offset', '40'],
      ['_sort', '-_lastUpdated,user-name'],
      ['_total', 'accurate'],
      ['_summary', 'false'],
      ['_fields', 'user,profile'],
      ['_elements', 'admin'],
      ['_include', 'ProjectMembership:profile:Patient'],
      ['_format', 'json'],
      ['_pretty', 'true'],
    );
    expect(query).toMatchObject({
      count: 0,
      offset: 40,
      total: 'accurate',
      summary: 'false',
      elements: ['user', 'profile', 'admin'],
      sort: [
        { param: { code: '_lastUpdated' }, descending: true },
        { param: { code: 'user-name' }, descending: false },
      ],
      include: [{ source: 'ProjectMembership', param: { code: 'profile' }, target: 'Patient' }],
    });
    expect(query.self.map(([name]) => name)).not.toContain('_format');
  });

  it('accepts _revinclude only from parameters that can refer to the type', () => {
    const [include] = parseSearch('Patient', [['_revinclude', 'Observation:subject']], PROJECT).revinclude;
    expect(include).toMatchObject({ source: 'Observation', param: { code: 'subject' } });
    expect(() => parseSearch('Patient', [['_revinclude', 'Observation:encounter']], PROJECT)).toThrow('does not refer');
  });

  it.each([
    ['nosuch', 'x', 'Unknown search parameter: nosuch'],
    ['Active', 'true', 'Unknown search parameter: Active'],
    ['profile-type:foo', 'Practitioner', 'Modifier :foo'],
    ['profile-type:', 'Practitioner', 'Modifier :'],
    ['user-name:not', 'x', 'Modifier :not'],
    ['profile:above', 'x', 'Modifier :above'],
    ['profile:identifier', '|', 'must be'],
    ['identifier:of-type', 'a|b', 'must be system|code|value'],
    ['active', 'yes', 'true or false'],
    ['active', '', 'no value'],
    ['profile-type', 'Patient,', 'empty value'],
    ['profile-type', '|', 'must be'],
    ['user-name', '\u0000', 'not allowed'],
    ['profile', 'Nope/1', 'must be Type/id'],
    ['profile.name', 'x', 'not supported'],
    ['_has:Observation:patient:code', 'x', 'not supported'],
    ['_text', 'x', 'not supported'],
    ['active:missing', 'maybe', 'true or false'],
    ['_lastUpdated', 'yesterday', 'must be a date'],
    ['_count', 'abc', 'whole number'],
    ['_count', '-1', 'whole number'],
    ['_count', '1.5', 'whole number'],
    ['_offset', '10001', 'at most 10000'],
    ['_total', 'bogus', 'one of none, estimate, accurate'],
    ['_summary', 'all', 'one of'],
    ['_elements', 'a b', 'element names'],
    ['_sort', 'nosuch', 'Unknown sort parameter'],
    ['_sort', '_compartment', 'not supported'],
    ['_include', '*:user', 'must be'],
    ['_include:iterate', '*', 'takes Type:'],
    ['_revinclude:iterate', 'Nonsense:*', 'must be'],
    ['_include:recurse', 'ProjectMembership:profile', 'Unknown search parameter'],
    ['_include', 'ProjectMembership:nosuch', 'must be'],
    ['_include', 'Patient:organization', 'must start with'],
  ])('refuses %s=%s and names the parameter', (name, value, text) => {
    expect(() => memberships([name, value])).toThrow(text);
    expect(() => memberships([name, value])).toThrow(
      expect.objectContaining({ code: 'invalid', issues: [expect.objectContaining({ expression: name })] }),
    );
  });

  it.each([
    ['composition:identifier', 'x', 'not supported'],
    ['_include', 'Bundle:composition', 'not supported'],
    ['_sort', 'composition', 'not supported'],
  ])('what stands inside a Bundle is found by its id, and nothing leads over it: %s=%s', (name, value, text) => {
    expect(() => parseSearch('Bundle', [[name, value]], PROJECT)).toThrow(text);
  });

  it('refuses an unknown type as 404 and a control that stands twice', () => {
    expect(() => parseSearch('Nope', [], PROJECT)).toThrow(expect.objectContaining({ code: 'unknown-type' }));
    expect(() => memberships(['_count', '1'], ['_count', '2'])).toThrow('only once');
  });

  it('never throws anything but AppError', () => {
    const names = [
      ...searchParamsOf('Observation').map(({ code }) => code),
      '_count',
      '_sort',
      '_include',
      '_total',
      'x',
      'subject.name',
      'subject:Patient._has:Encounter:subject:status',
      '_has:Observation:has-member:code',
      '_has:::',
      'subject.',
    ];
    const modifier = fc.constantFrom('', ':not', ':missing', ':exact', ':Patient', ':x');
    const value = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('true', '2024-02-30', 'ge2024', '\\', ',', '|', 'a|b|c', '$', '#x', 'Patient/1', '\ud800'),
    );
    const pair = fc.tuple(fc.constantFrom(...names), modifier, value);
    fc.assert(
      fc.property(fc.array(pair, { maxLength: 4 }), (pairs) => {
        try {
          parseSearch(
            'Observation',
            pairs.map(([name, suffix, text]) => [name + suffix, text] as const),
            PROJECT,
            { isLinking: true },
          );
        } catch (error) {
          expect(error).toBeInstanceOf(AppError);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('reads escaped values back as they were', () => {
    const texts = fc.array(fc.array(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 2 }), { minLength: 1 });
    fc.assert(
      fc.property(texts, (values) => {
        const clean = values.map((parts) => parts.map((part) => part.replaceAll('\u0000', '?')));
        const text = clean.map((parts) => parts.map(escapeValue).join('|')).join(',');
        expect(splitValues('x', text)).toEqual(clean);
      }),
    );
  });

  it('agrees with the plain reading of tokens: comma is OR, repeat is AND, :not is none of', () => {
    const codes = ['a', 'b', 'c'];
    const coding = fc.record({
      system: fc.option(fc.constantFrom('s', 't'), { nil: undefined }),
      code: fc.constantFrom(...codes),
    });
    const wanted = fc.record({ system: fc.constantFrom('', 's', 't', undefined), code: fc.constantFrom(...codes) });
    const clause = fc.record({ not: fc.boolean(), anyOf: fc.array(wanted, { minLength: 1, maxLength: 3 }) });
    fc.assert(
      fc.property(fc.array(coding, { maxLength: 3 }), fc.array(clause, { maxLength: 3 }), (codings, clauses) => {
        const params = clauses.map(({ not, anyOf }): [string, string] => [
          not ? 'code:not' : 'code',
          anyOf.map(({ system, code }) => (system === undefined ? code : `${system}|${code}`)).join(','),
        ]);
        const expected = clauses.every(({ not, anyOf }) => {
          const isHit = codings.some((has) =>
            anyOf.some(
              ({ system, code }) => has.code === code && (system === undefined || (has.system ?? '') === system),
            ),
          );
          return isHit !== not;
        });
        const extracted = extract(PROJECT, { resourceType: 'Observation', code: { coding: codings } }, BASE);
        const { filter } = parseSearch('Observation', params, PROJECT);
        expect(evaluate(filter, extracted, { id: 'x', lastUpdated: new Date() })).toBe(expected);
      }),
      { numRuns: 500 },
    );
  });

  it('searches dates by intervals', () => {
    const birthdate = searchParam('Patient', 'birthdate')!;
    const matches = (value: string, stored: string) => {
      const { filter } = parseSearch('Patient', [[birthdate.code, value]], PROJECT);
      const extracted = extract(PROJECT, { resourceType: 'Patient', birthDate: stored }, BASE);
      return evaluate(filter, extracted, { id: 'x', lastUpdated: new Date() });
    };
    const hits = (value: string) =>
      ['1999', '2000-01-01', '2000-06', '2000', '2001-01-01'].filter((date) => matches(value, date));
    expect(hits('2000')).toEqual(['2000-01-01', '2000-06', '2000']);
    expect(hits('ne2000')).toEqual(['1999', '2001-01-01']);
    expect(hits('gt2000-06-15')).toEqual(['2000-06', '2000', '2001-01-01']);
    expect(hits('lt2000-06-15')).toEqual(['1999', '2000-01-01', '2000-06', '2000']);
    expect(hits('ge2000-06')).toEqual(['2000-06', '2000', '2001-01-01']);
    expect(hits('le2000-01-01')).toEqual(['1999', '2000-01-01']);
    expect(hits('sa2000-06')).toEqual(['2001-01-01']);
    expect(hits('eb2000')).toEqual(['1999']);
    expect(hits('1999,2001')).toEqual(['1999', '2001-01-01']);
  });

  it('gives no bound that a database cannot read', () => {
    for (const value of ['lt0001', 'gt9999', 'ne0001', 'eb0001-01-01', 'sa9999-12-31T23:59:59-12:00']) {
      const filters = [memberships(['_lastUpdated', value]), parseSearch('Patient', [['birthdate', value]], PROJECT)];
      expect(JSON.stringify(filters.map(({ filter }) => filter))).not.toMatch(/"0000-|\+010000|-000001/);
    }
  });

  it('searches _lastUpdated, also when the + of a zone was lost', () => {
    const row = { id: 'x', lastUpdated: new Date('2024-05-01T10:00:00.500Z') };
    const matches = (value: string) =>
      evaluate(
        memberships(['_lastUpdated', value]).filter,
        extract(PROJECT, { resourceType: 'ProjectMembership' }, BASE),
        row,
      );
    const hits = [
      '2024-05-01',
      'ge2024-05-01T12:00:00 02:00',
      'lt2024-05-02',
      'le2024-05-01T10:00:00.500Z',
      'ne2023',
      'sa2024-04',
    ];
    expect(hits.filter((value) => !matches(value))).toEqual([]);
    expect(['2023', 'gt2024-05-01', 'eb2024-05-01', 'lt2024-05-01T10:00:00.500Z'].filter(matches)).toEqual([]);
  });
});
