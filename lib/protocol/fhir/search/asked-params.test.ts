import { expect, test } from 'vitest';
import { makeResource } from '#lib/testing/fhir/make-resource.ts';
import { BASE, PROJECT } from '../fixtures.ts';
import { extract } from '../index/extract.ts';
import { searchParamsOf } from '../index/search-params.ts';
import { isIdentityType, resourceTypes } from '../type-ids.ts';
import type { Resource } from '../types.ts';
import { askedParams } from './asked-params.ts';
import { parseSearch } from './parse-search.ts';

test.each(resourceTypes().filter((type) => !isIdentityType(type)))(
  'each token of a %s is of one parameter, and is there where that one alone is asked',
  (type) => {
    const params = searchParamsOf(type, PROJECT);
    for (const seed of [1, 2, 3]) {
      const resource = {
        ...makeResource(type, seed),
        id: 'a',
        meta: { accounts: [{ reference: 'Patient/x' }] },
      } as Resource;
      const whole = extract(PROJECT, resource, BASE).tokens;
      const parts = params.flatMap(({ id }) => extract(PROJECT, resource, BASE, new Set([id])).tokens);
      const bases = extract(PROJECT, resource, BASE, new Set()).tokens;
      expect(new Set([...parts, ...bases])).toEqual(new Set(whole));
      expect(parts.length - bases.length * params.length + bases.length).toBe(whole.length);
    }
  },
);

const asked = (...params: [string, string][]) => askedParams(parseSearch('Patient', params, PROJECT).filter);

test('what asks by codes and references says by which; what asks by more is asked of all', () => {
  const ids = (...codes: string[]) => {
    const all = searchParamsOf('Patient', PROJECT);
    return new Set(codes.map((code) => all.find((param) => param.code === code)!.id));
  };
  expect(asked(['gender', 'male'], ['general-practitioner:missing', 'true'])).toEqual(
    ids('gender', 'general-practitioner'),
  );
  expect(asked(['_compartment', 'Patient/x'], ['active:not', 'true'])).toEqual(ids('_compartment', 'active'));
  expect(asked(['name:exact', 'Ada'], ['_id', 'x'])).toEqual(ids('name'));
  expect(asked(['phonetic', 'Ada'])).toEqual(ids('phonetic'));
  expect(asked()).toEqual(new Set());
  for (const [name, value] of [
    ['name', 'Ada'],
    ['birthdate', '1980'],
  ] as const)
    expect(asked(['gender', 'male'], [name, value])).toBe('all');
});
