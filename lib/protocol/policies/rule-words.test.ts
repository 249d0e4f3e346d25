import { describe, expect, test } from 'vitest';
import { ruleWords } from './rule-words.ts';

const words = (criteria: string, say = {}) =>
  ruleWords({ resourceType: criteria.split('?')[0]!, criteria, interaction: ['read', 'vread', 'history'] }, say).text;

describe('a rule of a policy in words', () => {
  test('what may be done of which records', () => {
    expect(ruleWords({ resourceType: 'Patient' }).text).toBe('read, search, create, change and delete Patients');
    expect(ruleWords({ resourceType: '*', readonly: true }).text).toBe('read and search records of every type');
    expect(ruleWords({ resourceType: 'FamilyMemberHistory', interaction: ['read'] }).text).toBe(
      'read the current version of FamilyMemberHistories',
    );
  });

  test('conditions by what parameter, how compared, and with what', () => {
    expect(words('Patient?organization=Organization/1')).toBe('read Patients whose organization is Organization/1');
    expect(words('Patient?name=al&gender:not=male&active:missing=true')).toBe(
      'read Patients whose name begins with al, whose gender is not male and without active',
    );
    expect(words('Observation?date=ge2020&value-quantity=gt70||kg')).toBe(
      'read Observations whose date is at or after 2020 and whose value quantity is more than 70||kg',
    );
    expect(words('Observation?_compartment=%patient&date=le%now')).toBe(
      'read Observations that belong to the member’s own patient and whose date is at or before now',
    );
    expect(words('Patient?general-practitioner=%profile', { own: 'your own' })).toBe(
      'read Patients whose general practitioner is your own record',
    );
  });

  test('variables by their values, several as any of them, and of many how many', () => {
    const values = (name: string) => ({ org: ['Organization/1', 'Organization/2'] })[name];
    expect(words('Patient?organization=%org', { values })).toBe(
      'read Patients whose organization is Organization/1 or Organization/2',
    );
    expect(words('Patient?organization=%other', { values })).toBe('read Patients whose organization is %other');
    expect(words(`Patient?_id=${'a,b,c,d,e,f'}`)).toBe('read Patients whose id is a, b, c or one of 3 more');
    expect(words('Patient?_id=%org.id', { values })).toBe('read Patients whose id is 1 or 2');
  });

  test('what other resources say, chain and _has', () => {
    expect(words('Observation?subject:Patient.name=al')).toBe(
      'read Observations whose subject is a Patient whose name begins with al',
    );
    expect(words('Patient?_has:Observation:patient:code=1')).toBe(
      'read Patients that are the patient of an Observation whose code is 1',
    );
  });

  test('fields and constraints', () => {
    const rule = { resourceType: 'Patient', hiddenFields: ['address', 'telecom'], readonlyFields: ['identifier'] };
    const writeConstraint = [{ language: 'text/fhirpath', expression: '%before.exists()' }];
    expect(ruleWords({ ...rule, readonly: true, writeConstraint }).text).toBe(
      'read and search Patients; without seeing address or telecom; without changing identifier; a change only where %before.exists()',
    );
  });

  test('is bounded, whatever is in it', () => {
    const criteria = `Patient?${'_has:Patient:link:'.repeat(2000)}_id=${'%x,'.repeat(20000)}`;
    expect(words(criteria).length).toBeLessThan(1000);
    const many = `Patient?${'name=a&'.repeat(5000)}`;
    expect(words(many).length).toBeLessThan(2000);
  });
});
