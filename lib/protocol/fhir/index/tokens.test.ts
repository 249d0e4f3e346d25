import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resourceTypes, typeId, typeName } from '../type-ids.ts';
import { searchParam, searchParamsOf } from './search-params.ts';
import { codeToken, hasToken, referenceToken, systemCodeToken, tokenHash } from './tokens.ts';

const gender = searchParam('Patient', 'gender')!;
const subject = searchParam('Observation', 'subject')!;

describe('the data format', () => {
  it('does not change: these hashes stand in databases', () => {
    expect(tokenHash('a', 'b')).toBe(3154384556441974318n);
    expect(codeToken(gender, 'p', 'male')).toBe(2957229447840031250n);
    expect(referenceToken(subject, 'p', 'Patient/1')).toBe(6547448245214550474n);
    expect(hasToken(gender)).toBe(4003400714776053368n);
  });

  it('does not change: these numbers stand in databases', () => {
    const numbers = ['Account', 'Patient', 'VisionPrescription', 'AccessPolicy', 'UserSecurityRequest'].map(typeId);
    expect(numbers).toEqual([1, 103, 146, 147, 158]);
    expect([gender.id, subject.id, searchParam('ProjectMembership', 'profile-type')?.id]).toEqual([
      103032, 96058, 155023,
    ]);
  });

  it('gives every type and every parameter a number of its own', () => {
    const ids = resourceTypes().flatMap((type) => searchParamsOf(type).map(({ id }) => id));
    expect(new Set(ids).size).toBe(ids.length);
    expect(resourceTypes().map((type) => typeName(typeId(type)))).toEqual(resourceTypes());
  });
});

describe('tokenHash', () => {
  it('never mixes up where one part ends and the next begins', () => {
    const parts = fc.array(fc.string(), { maxLength: 4 });
    fc.assert(
      fc.property(parts, parts, (one, two) => {
        expect(tokenHash(...one) === tokenHash(...two)).toBe(JSON.stringify(one) === JSON.stringify(two));
      }),
    );
  });

  it('contains the project, except for parameters with few values', () => {
    const code = searchParam('Observation', 'code')!;
    expect(codeToken(gender, 'p1', 'male')).toBe(codeToken(gender, 'p2', 'male'));
    expect(systemCodeToken(code, 'p1', 's', 'c')).not.toBe(systemCodeToken(code, 'p2', 's', 'c'));
    expect(referenceToken(subject, 'p1', 'Patient/1')).not.toBe(referenceToken(subject, 'p2', 'Patient/1'));
  });

  it.each([
    ['Patient', 'gender', 'low'],
    ['Observation', 'status', 'low'],
    ['Observation', 'category', 'low'],
    ['ProjectMembership', 'profile-type', 'low'],
    ['ProjectMembership', 'admin', 'low'],
    ['Observation', 'code', 'middle'],
    ['Patient', 'identifier', 'selective'],
    ['Patient', 'email', 'selective'],
    ['Observation', 'subject', 'selective'],
    ['User', 'email', 'selective'],
  ])('%s.%s is of the class %3$s', (type, code, expected) => {
    expect(searchParam(type, code)?.tokenClass).toBe(expected);
  });
});
