import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fhirBase } from '#lib/base/fhir-base.ts';
import { newId } from '#lib/base/ids.ts';
import { extract } from '#lib/protocol/fhir/index/extract.ts';
import { evaluate } from '#lib/protocol/fhir/search/ir.ts';
import type { AccessPolicyRule, ProjectMembership, Resource } from '#lib/protocol/fhir/types.ts';
import { compiled } from '#lib/testing/compiled.ts';
import { hiddenOf } from './fields.ts';
import { exprOf, mayReach, type Policy, reach } from './policy.ts';
import { INTERACTIONS, type Interaction, READING } from './rule.ts';
import { viewPolicy } from './view-policy.ts';

const PROJECT = newId();

function policyOf(rules: AccessPolicyRule[] | undefined, admin: boolean): Policy {
  const membership = {
    resourceType: 'ProjectMembership',
    profile: { reference: 'Practitioner/me' },
    admin,
    ...(rules && { accessPolicy: { reference: 'AccessPolicy/p' } }),
  } as ProjectMembership;
  const policies = new Map([['AccessPolicy/p', { resourceType: 'AccessPolicy' as const, resource: rules ?? [] }]]);
  return compiled({ projectId: PROJECT, membership, policies, superAdmin: false });
}

type Record = Resource & { id: string };

function holds(resource: Record, expr: ReturnType<typeof reach>): boolean {
  return evaluate(expr, extract(PROJECT, resource, fhirBase()), { id: resource.id, lastUpdated: new Date() });
}

function reaches(policy: Policy, resource: Record, interaction: Interaction): boolean {
  const { resourceType: type } = resource;
  return mayReach({ policy }, type, interaction) && holds(resource, reach({ policy }, type, interaction));
}

const hides = (policy: Policy, resource: Record) =>
  hiddenOf({ policy }, resource.resourceType, (rule) => holds(resource, exprOf(rule)));

const aType = fc.constantFrom('Patient', 'Observation', 'Bot', '*');
const CRITERIA: { [type: string]: string[] } = {
  Patient: ['Patient?gender=female', 'Patient?active=true', 'Patient?birthdate=gt1980-01-01', 'Patient?_id=a'],
  Observation: ['Observation?status=final'],
};
const FIELDS: { [type: string]: string[] } = { Patient: ['gender', 'birthDate', 'active'], Observation: ['status'] };

const aRule = aType.chain((resourceType) => {
  const [criteria, fields] = [CRITERIA[resourceType] ?? [], FIELDS[resourceType] ?? []];
  const some = <T>(from: readonly T[]) => fc.option(fc.constantFrom(...from), { nil: undefined });
  return fc
    .record({
      criteria: criteria.length > 0 ? some(criteria) : fc.constant(undefined),
      hidden: fc.subarray(fields),
      interaction: fc.option(fc.subarray([...INTERACTIONS], { minLength: 1 }), { nil: undefined }),
    })
    .map(
      (given): AccessPolicyRule => ({
        resourceType,
        ...(given.criteria && { criteria: given.criteria }),
        ...(given.hidden.length > 0 && { hiddenFields: given.hidden }),
        ...(given.interaction && { interaction: given.interaction }),
      }),
    );
});
const rules = fc.option(fc.array(aRule, { minLength: 1, maxLength: 4 }), { nil: undefined });
const aRecord = fc.oneof(
  fc
    .record({
      id: fc.constantFrom('a', 'b'),
      gender: fc.constantFrom('female', 'male'),
      active: fc.boolean(),
      birthDate: fc.constantFrom('1970-01-01', '1990-01-01'),
    })
    .map((patient) => ({ resourceType: 'Patient', ...patient }) as Record),
  fc
    .constantFrom('final', 'amended')
    .map((status) => ({ resourceType: 'Observation', id: 'o', status, code: {} }) as unknown as Record),
  fc.constant({ resourceType: 'Bot', id: 'bot', name: 'x' } as Record),
);

test('an administrator sees with a member’s eyes what both see, without what is hidden from either, and writes nothing', () => {
  fc.assert(
    fc.property(rules, rules, fc.boolean(), aRecord, (theirs, own, isAdmin, record) => {
      const [member, viewer] = [policyOf(theirs, isAdmin), policyOf(own, true)];
      const view = viewPolicy(member, viewer);
      for (const interaction of INTERACTIONS) {
        const isSeen = reaches(view, record, interaction);
        if (!READING.includes(interaction)) expect(isSeen).toBe(false);
        if (!isSeen) continue;
        for (const either of [member, viewer]) expect(reaches(either, record, interaction)).toBe(true);
        const hidden = hides(view, record);
        for (const either of [member, viewer])
          expect([...hides(either, record)].filter((name) => !hidden.has(name))).toEqual([]);
      }
    }),
    { numRuns: 1000 },
  );
});

test('whom nothing limits sees just what the member sees', () => {
  fc.assert(
    fc.property(rules, aRecord, (theirs, record) => {
      const [member, viewer] = [policyOf(theirs, false), policyOf(undefined, true)];
      const view = viewPolicy(member, viewer);
      for (const interaction of READING)
        expect(reaches(view, record, interaction)).toBe(reaches(member, record, interaction));
      expect([...hides(view, record)].toSorted()).toEqual([...hides(member, record)].toSorted());
      expect(viewPolicy(member, viewer)).toBe(view);
    }),
  );
});

test('a rule that asks other records, or by what is hidden from the administrator, lets nothing through', () => {
  const record = { resourceType: 'Patient', id: 'a', gender: 'female' } as Record;
  const member = policyOf([{ resourceType: 'Patient', criteria: 'Patient?gender=female' }], false);
  const chained = policyOf([{ resourceType: 'Patient', criteria: 'Patient?general-practitioner.name=x' }], false);
  const hidden = policyOf([{ resourceType: 'Patient', hiddenFields: ['gender'] }], true);
  const limited = policyOf([{ resourceType: 'Patient' }], true);
  expect(reaches(viewPolicy(member, limited), record, 'read')).toBe(true);
  expect(mayReach({ policy: viewPolicy(member, hidden) }, 'Patient', 'read')).toBe(false);
  expect(mayReach({ policy: viewPolicy(chained, limited) }, 'Patient', 'read')).toBe(false);
});
