import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BASE, observation, PROJECT, patient } from '../fixtures.ts';
import { extract } from '../index/extract.ts';
import type { Resource } from '../types.ts';
import { evaluate } from './ir.ts';
import { type Bind, parseCriteria } from './parse-criteria.ts';

const VALUES: Record<string, string[]> = {
  patient: ['Patient/p1'],
  doctors: ['Practitioner/d0', 'Practitioner/d1'],
  org: ['Organization/o1'],
  code: ['29463-7'],
  injection: ['nothing,29463-7'],
  empty: [''],
  none: [],
};
const bind: Bind = (name) => VALUES[name];

describe('parseCriteria', () => {
  it.each<[Resource, string]>([
    [patient, 'Patient'],
    [patient, 'Patient?gender=female'],
    [patient, 'Patient?gender:not=male&active=true'],
    [patient, 'Patient?_id=%patient.id'],
    [patient, 'Patient?organization=%org'],
    [patient, 'Patient?general-practitioner=%doctors'],
    [patient, 'Patient?_compartment=%patient'],
    [patient, 'Patient?identifier=http%3A%2F%2Fexample.org%2Fmrn|A-17'],
    [observation, 'Observation?subject=%patient'],
    [observation, 'Observation?subject=Patient/%patient.id'],
    [observation, 'Observation?_compartment=%patient'],
    [observation, 'Observation?code=http://loinc.org|%code'],
    [observation, 'Observation?code=x,%code'],
    [observation, 'Observation?code:missing=false'],
    [observation, 'Observation?code:not=x'],
  ])('%o: %s grants', (resource, criteria) => {
    expect(isGranted(resource, criteria)).toBe(true);
  });

  it.each<[Resource, string]>([
    [patient, 'Patient?gender=male'],
    [patient, 'Patient?general-practitioner=%org'],
    [observation, 'Observation?subject=%org'],
    [observation, 'Observation?code=%injection'],
    [observation, 'Observation?code=http://loinc.org|%injection'],
  ])('%o: %s does not grant', (resource, criteria) => {
    expect(isGranted(resource, criteria)).toBe(false);
  });

  it.each([
    'Nope?x=1',
    '*?_tag=x',
    'Patient?',
    'Patient?gender',
    'Patient?gender=',
    'Patient?gender=|',
    'Patient?nosuch=x',
    'Patient?gender:text=x',
    'Patient?organization.name=x',
    'Patient?organization:Organization.name=x',
    'Patient?organization:Organization._id=o1',
    'Patient?organization._has:Patient:organization:_id=p1',
    'Patient?_has:Observation:patient:code=x',
    'Patient?_has:Observation:patient:_has:AuditEvent:entity:agent=x',
    'Patient?name=x',
    'Patient?birthdate=2000',
    'Patient?_count=5',
    'Patient?organization=%unbound',
    'Patient?organization=Organization/o1,%unbound',
    'Patient?organization=%none',
    'Patient?identifier=urn:s|%empty',
    'Patient?_id=%code.id.id',
    'Patient?gender=female&&active=true',
    'Observation?value-quantity=5',
    'Patient?identifier=a|b|c',
    `Patient?identifier=${'a|'.repeat(24_000)}`,
    `Patient?identifier=a${',a'.repeat(1000)}`,
    `Patient?active=true${'&active=true'.repeat(20)}`,
    `Patient?identifier=${'a'.repeat(64 * 1024)}`,
  ])('%s grants nothing', (criteria) => {
    const parsed = parseCriteria(criteria, bind, PROJECT);
    const extracted = extract(PROJECT, patient, BASE);
    expect(parsed ? evaluate(parsed.expr, extracted, { id: 'p1', lastUpdated: new Date() }) : false).toBe(false);
  });

  it('reads * for the type at hand only', () => {
    expect(parseCriteria('*?_tag=x', bind, PROJECT, { asType: 'Patient' })?.type).toBe('Patient');
    expect(parseCriteria('Observation?code=x', bind, PROJECT, { asType: 'Patient' })).toBeUndefined();
  });

  it('takes a bound value as one value, whatever is in it', () => {
    const risky = fc.oneof(
      fc.string(),
      fc.constantFrom('a,29463-7', 'a&code=29463-7', '29463-7|', 'http://loinc.org|', '%code', '\\,29463-7'),
    );
    fc.assert(
      fc.property(risky, (value) => {
        fc.pre(value !== '29463-7');
        expect(isGranted(observation, 'Observation?code=%v', () => [value])).toBe(false);
        expect(isGranted(observation, 'Observation?code=http://loinc.org|%v', () => [value])).toBe(false);
      }),
    );
  });
});

function isGranted(resource: Resource, criteria: string, binding = bind): boolean {
  const parsed = parseCriteria(criteria, binding, PROJECT);
  if (!parsed) return false;
  expect(parsed.type).toBe(resource.resourceType);
  return evaluate(parsed.expr, extract(PROJECT, resource, BASE), { id: resource.id ?? '', lastUpdated: new Date() });
}
