import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fhirBase } from '#lib/base/fhir-base.ts';
import { newId } from '#lib/base/ids.ts';
import { extract } from '#lib/protocol/fhir/index/extract.ts';
import { evaluate } from '#lib/protocol/fhir/search/ir.ts';
import type { AccessPolicy, ProjectMembership, Resource } from '#lib/protocol/fhir/types.ts';
import { compiled } from '#lib/testing/compiled.ts';
import type { Actor } from './context.ts';
import { isUnlimited, mayReach, reach, rulesInForce } from './policy.ts';
import { INTERACTIONS, type Interaction } from './rule.ts';
import { patientOf, rulesOfScope, scopeRules } from './scope-rules.ts';

const PROJECT = newId();
const READING: Interaction[] = ['read', 'vread', 'search', 'history'];

type Given = { profile?: string; admin?: boolean; superAdmin?: boolean; resource?: AccessPolicy['resource'] };

/** A member of these rules (without any: of no policy), whose login has these scopes. */
function member(
  scope: string,
  { profile = 'Practitioner/me', admin, superAdmin = false, resource }: Given = {},
): Actor {
  const membership = {
    resourceType: 'ProjectMembership',
    profile: { reference: profile },
    admin,
    ...(resource && { accessPolicy: { reference: 'AccessPolicy/p' } }),
  } as ProjectMembership;
  const policies = new Map([['AccessPolicy/p', { resourceType: 'AccessPolicy', resource } as AccessPolicy]]);
  const policy = compiled({ projectId: PROJECT, membership, policies, superAdmin });
  return {
    policy: { ...policy, scope: scopeRules(scope, { projectId: PROJECT, patient: patientOf({ profile }) }) },
  } as Actor;
}

function may(actor: Actor, type: string): Interaction[] {
  return INTERACTIONS.filter((interaction) => mayReach(actor, type, interaction)).sort();
}

function reaches(actor: Actor, resource: Resource & { id: string }, interaction: Interaction = 'read'): boolean {
  if (!mayReach(actor, resource.resourceType, interaction)) return false;
  const expr = reach(actor, resource.resourceType, interaction);
  return evaluate(expr, extract(PROJECT, resource, fhirBase()), { id: resource.id, lastUpdated: new Date() });
}

function observation(subject: string, category = 'laboratory'): Resource & { id: string } {
  const coding = [{ system: 'urn:categories', code: category }];
  const subjectOf = { reference: subject };
  return {
    resourceType: 'Observation',
    id: 'o',
    status: 'final',
    code: {},
    category: [{ coding }],
    subject: subjectOf,
  } as never;
}

const patient = (id: string): Resource & { id: string } => ({ resourceType: 'Patient', id });

test('no scope for resources limits nothing', () => {
  for (const scope of ['openid', '', 'openid fhirUser launch/patient offline_access', 'nonsense']) {
    expect(member(scope).policy.scope).toBeUndefined();
    expect(may(member(scope), 'Observation')).toEqual([...INTERACTIONS].sort());
  }
});

describe('what a scope lets be done', () => {
  test.each([
    ['user/Observation.read', READING],
    ['user/Observation.write', ['create', 'update', 'delete']],
    ['user/Observation.*', INTERACTIONS],
    ['system/Observation.rs', READING],
    ['user/Observation.r', ['read', 'vread', 'history']],
    ['user/Observation.s', ['search']],
    ['user/Observation.cu', ['create', 'update']],
    ['user/Observation.r system/Observation.d', ['read', 'vread', 'history', 'delete']],
    ['user/*.rs', READING],
  ])('%s', (scope, interactions) => {
    const actor = member(`openid ${scope}`);
    expect(may(actor, 'Observation')).toEqual([...interactions].sort());
    if (!scope.includes('*.rs')) expect(may(actor, 'Patient')).toEqual([]);
  });

  test('is never more than the policy does, nor another type than it names', () => {
    const resource = [{ resourceType: 'Observation', readonly: true }];
    expect(may(member('user/*.*', { resource }), 'Observation')).toEqual([...READING].sort());
    expect(may(member('user/*.*', { resource }), 'Patient')).toEqual([]);
    expect(may(member('user/Patient.rs', { resource }), 'Patient')).toEqual([]);
    expect(() => reach(member('user/Patient.rs', { resource }), 'Patient', 'read')).toThrow(
      expect.objectContaining({ code: 'forbidden' }),
    );
  });

  test.each(['user/NoSuch.rs', 'USER/Patient.rs', 'user/Patient.sr', 'user/Patient', 'system/*.rs?_id=1'])(
    '%s cannot be judged: the token reaches nothing at all, rather than everything',
    (scope) => expect(may(member(`openid ${scope}`), 'Patient')).toEqual([]),
  );
});

describe('administration and programs', () => {
  const ADMINISTRATION = ['Project', 'ProjectMembership', 'User', 'UserSecurityRequest', 'AccessPolicy'];

  test('are not meant by *, and by their name are seen only', () => {
    for (const superAdmin of [false, true]) {
      const all = member('user/*.* system/*.cruds', { admin: true, superAdmin });
      for (const type of [...ADMINISTRATION, 'Bot', 'ClientApplication', 'Login'])
        expect([type, may(all, type)]).toEqual([type, []]);
      const named = member('user/AccessPolicy.cruds system/Bot.* user/Login.rs', { admin: true, superAdmin });
      expect([may(named, 'AccessPolicy'), may(named, 'Bot'), may(named, 'Login')]).toEqual([
        [...READING].sort(),
        [...READING].sort(),
        [],
      ]);
    }
  });

  test('are not opened to a member by a scope that names them', () => {
    for (const type of ADMINISTRATION) expect(may(member(`user/${type}.cruds`), type)).toEqual([]);
  });

  test('a narrowed membership counts as a limited one', () => {
    expect([isUnlimited(member('openid').policy), isUnlimited(member('user/*.*').policy)]).toEqual([true, false]);
  });
});

describe('patient/', () => {
  const me = { profile: 'Patient/me' };

  test('is the patient’s own compartment', () => {
    const actor = member('patient/*.rs', me);
    const seen = [observation('Patient/me'), observation('Patient/you'), patient('me'), patient('you')];
    expect(seen.map((resource) => reaches(actor, resource))).toEqual([true, false, true, false]);
    expect(reaches(member('patient/Observation.rs', me), patient('me'))).toBe(false);
    expect(may(actor, 'Practitioner')).toEqual([]);
    expect(may(actor, 'Binary')).toEqual([]);
  });

  test('grants nothing where there is no patient', () => {
    for (const profile of ['Practitioner/me', 'RelatedPerson/me', 'ClientApplication/me']) {
      expect(may(member('openid patient/*.* patient/Patient.rs', { profile }), 'Patient')).toEqual([]);
    }
  });

  test('lets nothing be written into another compartment', () => {
    const actor = member('patient/Observation.cud', me);
    expect(reaches(actor, observation('Patient/me'), 'create')).toBe(true);
    expect(reaches(actor, observation('Patient/you'), 'create')).toBe(false);
    expect(reaches(actor, observation('Patient/you'), 'update')).toBe(false);
  });
});

describe('a query', () => {
  test('leaves what matches, and within the compartment only', () => {
    const scope = 'patient/Observation.rs?category=urn:categories|laboratory';
    const actor = member(scope, { profile: 'Patient/me' });
    const seen = [observation('Patient/me'), observation('Patient/me', 'imaging'), observation('Patient/you')];
    expect(seen.map((resource) => reaches(actor, resource))).toEqual([true, false, false]);
    const user = member('user/Observation.rs?category=urn:categories|imaging');
    expect(seen.map((resource) => reaches(user, resource))).toEqual([false, true, false]);
  });

  test.each([
    'nosuch=1',
    'category',
    'category:in=x',
    'subject=%nobody',
    'value-quantity=x',
    'patient.name=x',
    '_has:x=1',
  ])('that cannot be judged (%s) grants nothing', (query) => {
    expect(rulesOfScope(`user/Observation.rs?${query}`, { projectId: PROJECT, patient: 'Patient/me' })).toEqual([]);
    expect(may(member(`user/Observation.rs?${query}`), 'Observation')).toEqual([]);
  });
});

test('narrowed is policy and scope, whatever they are: never more than either, never less than both', () => {
  const types = fc.constantFrom('Observation', 'Patient', '*');
  const rules = fc.record(
    {
      resourceType: types,
      readonly: fc.boolean(),
      interaction: fc.subarray([...INTERACTIONS]),
      about: fc.constantFrom('Patient/me', 'Patient/you', '%patient'),
    },
    { requiredKeys: ['resourceType'] },
  );
  const policies = fc.array(
    rules.map(({ about, ...rule }) => {
      const isAbout = about !== undefined && rule.resourceType === 'Observation';
      return { ...rule, ...(isAbout && { criteria: `Observation?subject=${about}` }) };
    }),
    { maxLength: 4 },
  );
  const queries = fc.constantFrom('', '', '?category=laboratory', '?subject=Patient/you');
  const scopes = fc.array(
    fc
      .tuple(
        fc.constantFrom('patient', 'user', 'system'),
        types,
        fc.constantFrom('read', 'write', '*', 'rs', 'cruds', 'cu', 'd', 'zz'),
        queries,
      )
      .map(([context, type, access, query]) => `${context}/${type}.${access}${query}`),
    { minLength: 1, maxLength: 3 },
  );
  const resources = fc.constantFrom<Resource & { id: string }>(
    observation('Patient/me'),
    observation('Patient/you'),
    observation('Patient/me', 'imaging'),
    patient('me'),
    patient('you'),
    { resourceType: 'Bot', id: 'b' },
  );
  const everything = (scope: string, profile: string) => member(scope, { profile });
  fc.assert(
    fc.property(
      policies,
      scopes,
      resources,
      fc.constantFrom('Patient/me', 'Practitioner/me'),
      fc.constantFrom(...INTERACTIONS),
      (resource, list, target, profile, interaction) => {
        const scope = list.join(' ');
        const byPolicy = reaches(member('openid', { profile, resource }), target, interaction);
        const byScope = reaches(everything(scope, profile), target, interaction);
        const narrowed = member(scope, { profile, resource });
        // Somebody without a policy may do everything but write programs, which no scope lets be done either.
        expect(reaches(narrowed, target, interaction)).toBe(byPolicy && byScope);
        const told = rulesInForce(narrowed.policy).some(
          (r) =>
            (r.resourceType === target.resourceType || r.resourceType === '*') && r.interactions.includes(interaction),
        );
        expect(told || !reaches(narrowed, target, interaction)).toBe(true);
      },
    ),
    { numRuns: 2000 },
  );
});
