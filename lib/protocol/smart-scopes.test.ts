import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isResourceScope, parseSmartScope, splitScopes } from './smart-scopes.ts';

describe('a scope for resources', () => {
  test.each([
    ['patient/Observation.read', 'patient', 'Observation', 'rs', undefined],
    ['user/Patient.write', 'user', 'Patient', 'cud', undefined],
    ['system/*.*', 'system', '*', 'cruds', undefined],
    ['patient/*.rs', 'patient', '*', 'rs', undefined],
    ['user/Observation.cruds', 'user', 'Observation', 'cruds', undefined],
    ['system/Group.d', 'system', 'Group', 'd', undefined],
    [
      'patient/Observation.rs?category=http://terminology.hl7.org/CodeSystem/observation-category|laboratory&status=final',
      'patient',
      'Observation',
      'rs',
      'category=http://terminology.hl7.org/CodeSystem/observation-category|laboratory&status=final',
    ],
  ])('%s', (scope, context, type, actions, query) => {
    expect(parseSmartScope(scope)).toEqual({ context, type, actions: [...actions], query });
    expect(isResourceScope(scope)).toBe(true);
  });

  test.each([
    'patient/Observation',
    'patient/Observation.',
    'patient/Observation.sr',
    'patient/Observation.rr',
    'patient/Observation.readwrite',
    'patient/Observation.constructor',
    'patient/NoSuchType.rs',
    'patient/.rs',
    'Patient/Observation.rs',
    'SYSTEM/*.*',
    'system/*.rs?category=x',
    'user/Observation.read?category=x',
    'user/Observation.rs?',
    'user/*.*.*',
    'patient//Observation.rs',
  ])('%s is none, yet somebody meant a limit by it', (scope) => {
    expect(parseSmartScope(scope)).toBeUndefined();
    expect(isResourceScope(scope)).toBe(true);
  });

  test.each(['openid', 'launch/patient', 'launch', 'fhirUser', 'patient', 'xpatient/Observation.rs'])(
    '%s means no resources',
    (scope) => expect([parseSmartScope(scope), isResourceScope(scope)]).toEqual([undefined, false]),
  );

  test('what can be read of a scope is what was written, whatever it is', () => {
    const parts = fc.constantFrom(
      'patient',
      'user',
      '/',
      '.',
      '*',
      'Observation',
      'r',
      's',
      'cruds',
      '?',
      'a=b',
      'read',
    );
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 8 }), (words) => {
        const text = words.join('');
        const parsed = parseSmartScope(text);
        if (!parsed) return;
        const { context, type, actions, query } = parsed;
        const rest = query === undefined ? '' : `?${query}`;
        const written = ['read', 'write', '*', actions.join('')].map((word) => `${context}/${type}.${word}${rest}`);
        expect(written).toContain(text);
        expect(actions.length).toBeGreaterThan(0);
      }),
    );
  });
});

test('a list is split at its spaces, each scope once', () => {
  expect(splitScopes('  openid  patient/*.rs openid ')).toEqual(['openid', 'patient/*.rs']);
  expect(splitScopes('')).toEqual([]);
});
