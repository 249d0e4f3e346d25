import { describe, expect, it } from 'vitest';
import { BASE, membership, OTHER_PROJECT, observation, PROJECT, patient, practitioner } from '../fixtures.ts';
import { askedParams } from '../search/asked-params.ts';
import { evaluate } from '../search/ir.ts';
import { parseSearch } from '../search/parse-search.ts';
import { resourceTypes } from '../type-ids.ts';
import type { Resource } from '../types.ts';
import { extract } from './extract.ts';
import { isOfContent } from './format.ts';
import { type SearchParam, searchParam, searchParamsOf } from './search-params.ts';

describe('extract', () => {
  it('of parameters that are of the content, none looks at meta', () => {
    const all = resourceTypes().flatMap((type) => searchParamsOf(type));
    const own = all.filter(({ id }) => isOfContent(id));
    expect(own.length).toBeGreaterThan(1300);
    const inMeta = ({ path, groups }: SearchParam) =>
      [...path, ...groups.map(({ branch }) => branch)].some(
        ({ hops: [hop] }) => hop && 'property' in hop && hop.property === 'meta',
      );
    expect(own.filter(inMeta)).toEqual([]);
    expect(all.filter(inMeta).length).toBeGreaterThan(0);
  });

  it('indexes each part of a name, the full name, and neither case nor accents', () => {
    const name = searchParam('Patient', 'name')!.id;
    const values = extract(PROJECT, patient, BASE).strings.filter(({ param }) => param === name);
    expect(values.map(({ value }) => value)).toEqual(['muller', 'anne', 'kathe', 'dr.', 'anne kathe muller', 'anni']);
  });

  it('gives dates their precision, and open periods no end', () => {
    expect(extract(PROJECT, patient, BASE).sortDate).toEqual(new Date('1974-12-01T00:00:00.000Z'));
    const [date] = extract(PROJECT, observation, BASE).dates;
    expect(date).toEqual({
      param: searchParam('Observation', 'date')?.id,
      lo: new Date('2024-02-01T10:00:00.000Z'),
      hi: new Date('9999-12-31T23:59:59.999Z'),
    });
  });

  it.each<[Resource, string, string]>([
    [patient, 'identifier', 'http://example.org/mrn|A-17'],
    [patient, 'identifier', 'A-17'],
    [patient, 'identifier', 'http://example.org/mrn|'],
    [patient, 'identifier', '|no-system'],
    [patient, 'gender', 'female'],
    [patient, 'gender', 'http://hl7.org/fhir/administrative-gender|female'],
    [patient, 'active', 'true'],
    [patient, 'deceased', 'false'],
    [patient, 'email', 'anni@example.org'],
    [patient, 'phone', '+49 30 1234'],
    [patient, 'language', 'urn:ietf:bcp:47|de'],
    [patient, 'general-practitioner', 'Practitioner/d1'],
    [patient, 'general-practitioner', 'd1'],
    [patient, 'organization:Organization', 'o1'],
    [patient, 'organization', 'http://localhost:3999/fhir/R4/Organization/o1'],
    [patient, 'address-city', 'koln'],
    [patient, 'family', 'MÜLL'],
    [patient, 'family:exact', 'Müller'],
    [patient, 'family:contains', 'lle'],
    [patient, 'birthdate', '1974'],
    [patient, 'birthdate', 'lt1975'],
    [patient, '_tag', 'urn:t|vip'],
    [patient, '_profile', 'http://example.org/StructureDefinition/our-patient'],
    [patient, '_compartment', 'Patient/p1'],
    [patient, '_id', 'p1,p2'],
    [practitioner, 'email', 'CHIDI@example.org'],
    [practitioner, 'family', 'ok'],
    [observation, 'code', 'http://loinc.org|29463-7'],
    [observation, 'combo-code', 'c1'],
    [observation, 'patient', 'Patient/p1'],
    [observation, 'encounter', 'Encounter/e1'],
    [observation, 'performer', 'https://other.example/fhir/Organization/9'],
    [observation, 'date', 'gt2030'],
    [observation, 'category', 'vital-signs'],
    [observation, '_compartment', 'Patient/p1'],
    [observation, '_compartment', 'Practitioner/d1'],
    [membership, 'profile-type', 'Practitioner'],
    [membership, 'profile-type', 'Patient,Practitioner'],
    [membership, 'profile-type:not', 'Patient,Bot'],
    [membership, 'profile', 'Practitioner/d1'],
    [membership, 'access-policy', 'AccessPolicy/ap2'],
    [membership, 'admin', 'false'],
    [membership, 'admin:not', 'true'],
    [membership, 'active', 'true'],
    [membership, 'active:not', 'false'],
    [membership, 'admin:missing', 'true'],
    [membership, 'user-name', 'Chi'],
    [membership, 'external-id:missing', 'true'],
  ])('%o is found by %s=%s', (resource, name, value) => {
    expect(isMatch(resource, name, value)).toBe(true);
  });

  it.each<[Resource, string, string]>([
    [patient, 'identifier', '|A-17'],
    [patient, 'identifier', 'http://example.org/other|A-17'],
    [patient, 'gender', 'http://example.org/other|female'],
    [patient, 'deceased', 'true'],
    [patient, 'family', 'ller'],
    [patient, 'family:exact', 'muller'],
    [patient, 'general-practitioner', 'Organization/d1'],
    [patient, 'birthdate', '1974-12-25'],
    [patient, '_compartment', 'Patient/p2'],
    [patient, '_id', 'p'],
    [observation, 'date', 'lt2024-02-01'],
    [observation, 'patient:missing', 'true'],
    [membership, 'profile-type', 'practitioner'],
    [membership, 'profile-type', 'Patient'],
    [membership, 'profile-type:not', 'Patient,Practitioner'],
    [membership, 'admin', 'true'],
    [membership, 'active', 'false'],
    [{ ...membership, active: false }, 'active', 'true'],
    [{ ...membership, admin: true }, 'admin:not', 'true'],
  ])('%o is not found by %s=%s', (resource, name, value) => {
    expect(isMatch(resource, name, value)).toBe(false);
  });

  it("does not let one project's tokens match in another", () => {
    const { filter } = parseSearch('Patient', [['identifier', 'A-17']], PROJECT);
    const row = { id: 'p1', lastUpdated: new Date(0) };
    expect(evaluate(filter, extract(PROJECT, patient, BASE), row)).toBe(true);
    expect(evaluate(filter, extract(OTHER_PROJECT, patient, BASE), row)).toBe(false);
  });

  it('finds a long text by its beginning, by any part of it and as a whole', () => {
    const text = `${'lorem ipsum '.repeat(100)}Gänseblümchen${' dolor sit'.repeat(100)} Ende`;
    const set = { resourceType: 'ValueSet', id: 'v', description: text } as Resource;
    const found = (name: string, value: string) => isMatch(set, name, value);
    expect(found('description', text.slice(0, 390))).toBe(true);
    for (const part of ['ganseblumchen', 'sit ende', 'ipsum ganse', text.slice(1100, 1300)]) {
      expect(found('description:contains', part), part).toBe(true);
    }
    expect(found('description:exact', text)).toBe(true);
    expect([found('description', 'ganseblumchen'), found('description:contains', 'tulpe')]).toEqual([false, false]);
    for (const [name, length] of Object.entries({ description: 401, 'description:contains': 201 })) {
      expect(() => found(name, 'x'.repeat(length))).toThrow(/at most/);
    }
  });

  it('refuses to index without end', () => {
    const identifier = Array.from({ length: 50_001 }, (_, value) => ({ value: String(value) }));
    const patient: Resource = { resourceType: 'Patient', identifier };
    expect(() => extract(PROJECT, patient, BASE)).toThrow(expect.objectContaining({ code: 'too-costly' }));
  });

  it('takes anything that is not a valid resource without throwing', () => {
    const odd = {
      resourceType: 'Patient',
      name: 'x',
      birthDate: 5,
      identifier: [null, 'y', { value: 7 }],
      link: [{ other: 3 }],
    };
    expect(() => extract(PROJECT, odd, BASE)).not.toThrow();
    expect(extract(PROJECT, { resourceType: 'Nope' }, BASE).tokens).toEqual([]);
  });
});

function isMatch(resource: Resource, name: string, value: string): boolean {
  const { filter } = parseSearch(resource.resourceType, [[name, value]], PROJECT, { baseUrl: BASE });
  const row = { id: resource.id ?? '', lastUpdated: new Date(0) };
  const found = evaluate(filter, extract(PROJECT, resource, BASE), row);
  const asked = askedParams(filter);
  // The same by no more than what it asks of.
  if (asked !== 'all') expect(evaluate(filter, extract(PROJECT, resource, BASE, asked), row)).toBe(found);
  return found;
}
