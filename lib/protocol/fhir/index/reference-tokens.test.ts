import { describe, expect, it } from 'vitest';
import { BASE, PROJECT } from '../fixtures.ts';
import { evaluate } from '../search/ir.ts';
import { parseCriteria } from '../search/parse-criteria.ts';
import { parseSearch } from '../search/parse-search.ts';
import type { Resource } from '../types.ts';
import { extract } from './extract.ts';
import { searchParam } from './search-params.ts';
import { uriToken } from './tokens.ts';

const subject = (reference: string): Resource =>
  ({ resourceType: 'Observation', id: 'o', subject: { reference } }) as never;
const answers = (questionnaire: string): Resource =>
  ({ resourceType: 'QuestionnaireResponse', id: 'r', questionnaire }) as never;

const FORMS = ['Patient/1', `${BASE}/Patient/1`, 'Patient/1/_history/3', `${BASE}/Patient/1/_history/3`];

describe('references', () => {
  it.each(FORMS)('%s is found however the same patient is asked for', (stored) => {
    for (const [name, value] of [
      ...FORMS.map((form) => ['subject', form] as const),
      ['subject', '1'],
      ['subject:Patient', '1'],
      ['patient', '1'],
      ['_compartment', `${BASE}/Patient/1`],
      ['_compartment', 'Patient/1'],
    ] as const) {
      expect(isFound(subject(stored), name, value), `${name}=${value}`).toBe(true);
    }
    expect(isFound(subject(stored), 'subject', 'Patient/2')).toBe(false);
    expect(isFound(subject(stored), 'subject', 'https://other.example/fhir/Patient/1')).toBe(false);
  });

  it('of another server stay what they are', () => {
    const elsewhere = 'https://other.example/fhir/R4/Patient/1';
    expect(isFound(subject(elsewhere), 'subject', elsewhere)).toBe(true);
    expect(isFound(subject(elsewhere), 'subject', 'Patient/1')).toBe(false);
    const deeper = `${BASE}/Patient/1/photo`;
    expect(isFound(subject(deeper), 'subject', deeper)).toBe(true);
  });

  it('that were indexed as written, before own addresses were known, are found all the same', () => {
    const param = searchParam('Observation', 'subject')!;
    for (const value of ['Patient/1', '1', `${BASE}/Patient/1`]) {
      const { filter } = parseSearch('Observation', [['subject', value]], PROJECT, { baseUrl: BASE });
      expect(filter).toMatchObject({ op: 'token' });
      const { anyOf } = filter as { anyOf: bigint[] };
      expect(anyOf).toContain(uriToken(param, PROJECT, `${BASE}/Patient/1`));
    }
  });

  it('mean the same in a policy, by value and by variable', () => {
    const bind = (name: string) => (name === 'patient' ? [`${BASE}/Patient/1`] : undefined);
    for (const value of [`${BASE}/Patient/1`, 'Patient/1', '%patient', 'Patient/%patient.id']) {
      const parsed = parseCriteria(`Observation?subject=${value}`, bind, PROJECT, { baseUrl: BASE })!;
      for (const stored of FORMS) expect(isTrue(parsed.expr, subject(stored)), `${value} of ${stored}`).toBe(true);
      expect(isTrue(parsed.expr, subject('Patient/2'))).toBe(false);
    }
  });
});

describe('canonicals', () => {
  it.each(['Questionnaire/x', `${BASE}/Questionnaire/x`, 'Questionnaire/x|2', `${BASE}/Questionnaire/x|2`])(
    '%s is found by id, by reference and by address',
    (stored) => {
      for (const value of ['x', 'Questionnaire/x', `${BASE}/Questionnaire/x`]) {
        expect(isFound(answers(stored), 'questionnaire', value), value).toBe(true);
      }
      expect(isFound(answers(stored), 'questionnaire:Questionnaire', 'x')).toBe(true);
      expect(isFound(answers(stored), 'questionnaire', 'Questionnaire/y')).toBe(false);
      for (const value of ['Questionnaire/x|2', `${BASE}/Questionnaire/x|2`]) {
        expect(isFound(answers(stored), 'questionnaire', value), value).toBe(stored.endsWith('|2'));
      }
      expect(isFound(answers(stored), 'questionnaire', 'Questionnaire/x|1')).toBe(false);
    },
  );

  it('of other places are found with and without the version that they have', () => {
    const stored = answers('http://example.org/q|2');
    expect(isFound(stored, 'questionnaire', 'http://example.org/q')).toBe(true);
    expect(isFound(stored, 'questionnaire', 'http://example.org/q|2')).toBe(true);
    expect(isFound(stored, 'questionnaire', 'http://example.org/q|1')).toBe(false);
  });

  it('that are profiles of a resource are found by each spelling of an own address', () => {
    for (const stored of ['StructureDefinition/p', `${BASE}/StructureDefinition/p`, 'StructureDefinition/p|1']) {
      const patient = { resourceType: 'Patient', id: 'p', meta: { profile: [stored] } } as Resource;
      for (const value of ['StructureDefinition/p', `${BASE}/StructureDefinition/p`]) {
        expect(isFound(patient, '_profile', value), `${value} of ${stored}`).toBe(true);
      }
    }
  });
});

function isFound(resource: Resource, name: string, value: string): boolean {
  return isTrue(parseSearch(resource.resourceType, [[name, value]], PROJECT, { baseUrl: BASE }).filter, resource);
}

function isTrue(filter: Parameters<typeof evaluate>[0], resource: Resource): boolean {
  return evaluate(filter, extract(PROJECT, resource, BASE), { id: resource.id ?? '', lastUpdated: new Date(0) });
}
