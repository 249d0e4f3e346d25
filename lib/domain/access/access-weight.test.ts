import { describe, expect, test } from 'vitest';
import type { AccessPolicy, AccessPolicyRule, ProjectMembership } from '#lib/protocol/fhir/types.ts';
import { countTurns } from '#lib/testing/count-turns.ts';
import { isTooHeavy, keptOf, requireBearable } from './access-weight.ts';
import { compilePolicy } from './policy.ts';

const PROJECT = '00000000-0000-4000-8000-000000000001';
type Parameter = { name: string; valueString: string };

function source(resource: AccessPolicyRule[], entries: number, parameter: Parameter[] = []) {
  const policies = new Map([['AccessPolicy/p', { resourceType: 'AccessPolicy', resource } as AccessPolicy]]);
  const access = Array.from({ length: entries }, () => ({ policy: { reference: 'AccessPolicy/p' }, parameter }));
  const profile = { reference: 'Practitioner/me' };
  const membership = { resourceType: 'ProjectMembership', profile, access } as unknown as ProjectMembership;
  return { projectId: PROJECT, membership, policies, superAdmin: false };
}

function isHeavy(resource: AccessPolicyRule[], entries: number, parameter?: Parameter[]): boolean {
  const { membership, policies } = source(resource, entries, parameter);
  return isTooHeavy(membership, policies);
}

const of = (criteria: string, count: number): AccessPolicyRule[] =>
  Array.from({ length: count }, () => ({ resourceType: criteria.split('?')[0]!, criteria }));
const valued = (count: number, length: number) =>
  Array.from({ length: count }, () => ({ name: 'a', valueString: 'x'.repeat(length) }));

describe('what an access weighs', () => {
  test('grows with entries, rules, values, links and what is asked of each moment', () => {
    const short = 'Patient?_id=%a';
    expect(isHeavy(of(short, 10), 500, valued(1, 36))).toBe(false);
    expect(isHeavy(of(short, 100), 500, valued(1, 36))).toBe(true);
    expect(isHeavy([{ resourceType: 'Patient' }], 500)).toBe(false);
    expect(
      isHeavy(
        Array.from({ length: 500 }, () => ({ resourceType: 'Patient' })),
        100,
      ),
    ).toBe(true);
    expect(isHeavy(of('Observation?subject:Patient.organization=%a', 20), 80, valued(1, 36))).toBe(false);
    expect(isHeavy(of('Observation?subject:Patient.organization=%a', 20), 100, valued(1, 36))).toBe(true);
    expect(isHeavy(of('Observation?date=le2030', 100), 100)).toBe(false);
    expect(isHeavy(of('Observation?date=le%now', 100), 100)).toBe(true);
    expect(isHeavy(of('Patient?name:contains=a,b,c', 100), 1)).toBe(false);
    expect(isHeavy(of('Patient?name:contains=a,b,c', 200), 1)).toBe(true);
    expect(isHeavy(of('Observation?patient.name:contains=%a', 1), 500, valued(1, 36))).toBe(true);
    expect(isHeavy(of('Patient?name=:contains,b,c', 200), 1)).toBe(false);
  });

  test('one rule alone is bounded, too: each value stands in each alternative', () => {
    expect(isHeavy(of('Patient?identifier=%a', 1), 1, valued(100, 600))).toBe(false);
    expect(isHeavy(of('Patient?identifier=%a,%a', 1), 1, valued(100, 600))).toBe(true);
    expect(isHeavy(of('Patient?identifier=%a|%a', 1), 1, valued(100, 30))).toBe(true);
  });

  test('a policy that nobody could have is refused by its name', () => {
    const wide = `Patient?general-practitioner=${Array.from({ length: 600 }, () => '%profile').join(',')}`;
    const policy = { resourceType: 'AccessPolicy', resource: of(wide, 20) } as AccessPolicy;
    expect(() => requireBearable(policy)).not.toThrow();
    expect(() => requireBearable({ ...policy, resource: of(wide, 50) })).toThrow('come to at most 2 MiB');
  });
});

describe('what is read long', () => {
  const heavy = () => source(of('Observation?date=ge%a&date=le%a', 100), 90, [{ name: 'a', valueString: '2020' }]);

  test('lets others come first, and goes one after the other', async () => {
    const turns = countTurns();
    const ended: number[] = [];
    await Promise.all([1, 2].map((at) => compilePolicy(heavy()).then(() => ended.push(at))));
    const others = turns();
    expect(ended).toEqual([1, 2]);
    expect(others).toBeGreaterThan(5);
  });

  test('is known by what it takes to be kept; rules that are one for all take next to nothing', async () => {
    expect(keptOf(await compilePolicy(heavy()))).toBeGreaterThan(9000 * 64);
    expect(keptOf(await compilePolicy(source(of('Patient?_tag=x', 100), 1)))).toBeLessThan(1024);
  });
});
