import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { fhirBase } from '#lib/base/fhir-base.ts';
import { newId } from '#lib/base/ids.ts';
import { extract } from '#lib/protocol/fhir/index/extract.ts';
import { searchParam } from '#lib/protocol/fhir/index/search-params.ts';
import { evaluate } from '#lib/protocol/fhir/search/ir.ts';
import type { AccessPolicy, AccessPolicyRule, ProjectMembership, Resource } from '#lib/protocol/fhir/types.ts';
import { compiled } from '#lib/testing/compiled.ts';
import { findPlaceFault } from '../bounds/within-bounds.ts';
import type { Actor } from './context.ts';
import { gateOf, hasFields } from './fields.ts';
import { isUnlimited, mayReach, reach } from './policy.ts';
import { INTERACTIONS, type Interaction } from './rule.ts';

const PROJECT = newId();
const ADMIN_TYPES = [
  'Project',
  'ProjectMembership',
  'User',
  'UserSecurityRequest',
  'AccessPolicy',
  'DomainConfiguration',
];
const SYSTEM_TYPES = ['Login', 'JsonWebKey'];
const READING: Interaction[] = ['read', 'vread', 'search', 'history'];
const WRITING: Interaction[] = ['create', 'update', 'delete'];

type Given = {
  rules?: AccessPolicyRule[];
  membership?: Partial<ProjectMembership>;
  policy?: object;
  superAdmin?: boolean;
};

/** A member of these rules. Without rules: of no policy. */
function member({ rules, membership = {}, policy = {}, superAdmin = false }: Given = {}): Actor {
  const content = { resourceType: 'AccessPolicy', resource: rules, ...policy } as AccessPolicy;
  const full = {
    resourceType: 'ProjectMembership',
    profile: { reference: 'Practitioner/me' },
    ...(rules && { accessPolicy: { reference: 'AccessPolicy/p' } }),
    ...membership,
  } as ProjectMembership;
  const policies = new Map([['AccessPolicy/p', content]]);
  return { policy: compiled({ projectId: PROJECT, membership: full, policies, superAdmin }) } as Actor;
}

function may(actor: Actor, type: string, interactions: readonly Interaction[] = INTERACTIONS): Interaction[] {
  return interactions.filter((interaction) => mayReach(actor, type, interaction));
}

/** Whether this very resource is within reach. */
function reaches(actor: Actor, resource: Resource & { id: string }, interaction: Interaction = 'read'): boolean {
  if (!mayReach(actor, resource.resourceType, interaction)) return false;
  const expr = reach(actor, resource.resourceType, interaction);
  return evaluate(expr, extract(PROJECT, resource, fhirBase()), { id: resource.id, lastUpdated: new Date() });
}

function observation(subject: string): Resource & { id: string } {
  return { resourceType: 'Observation', id: 'o', status: 'final', code: {}, subject: { reference: subject } } as never;
}

describe('without a policy', () => {
  test('a member may do everything but what only administrators, the system and program makers may', () => {
    const actor = member();
    expect(may(actor, 'Patient')).toEqual(INTERACTIONS);
    for (const type of [...ADMIN_TYPES, ...SYSTEM_TYPES]) expect([type, may(actor, type)]).toEqual([type, []]);
    for (const type of ['Bot', 'ClientApplication']) expect(may(actor, type, WRITING)).toEqual([]);
  });

  test('an administrator may read the people of the project, and see no other project', () => {
    const actor = member({ membership: { admin: true } });
    for (const type of ['ProjectMembership', 'User', 'UserSecurityRequest']) {
      expect([may(actor, type, READING), may(actor, type, WRITING)]).toEqual([READING, []]);
    }
    expect(may(actor, 'Bot')).toEqual(INTERACTIONS);
    expect(may(actor, 'Project', ['create', 'delete'])).toEqual([]);
    expect(reach(actor, 'Project', 'read')).toEqual({ op: 'id', anyOf: [PROJECT] });
    for (const type of SYSTEM_TYPES) expect(may(actor, type)).toEqual([]);
  });
});

describe('a rule', () => {
  test('for a type grants that type and nothing else', () => {
    const actor = member({ rules: [{ resourceType: 'Patient' }] });
    expect([may(actor, 'Patient'), may(actor, 'Observation')]).toEqual([INTERACTIONS, []]);
    expect(() => reach(actor, 'Observation', 'read')).toThrow(expect.objectContaining({ code: 'forbidden' }));
  });

  test('that is readonly lets nothing be written; a list of interactions is exactly that list', () => {
    const readonly = member({ rules: [{ resourceType: 'Patient', readonly: true }] });
    expect(may(readonly, 'Patient').sort()).toEqual([...READING].sort());
    const listed = member({ rules: [{ resourceType: 'Patient', interaction: ['create', 'search'] }] });
    expect(may(listed, 'Patient').sort()).toEqual(['create', 'search']);
    expect(may(member({ rules: [{ resourceType: 'Patient', interaction: [] }] }), 'Patient')).toEqual([]);
  });

  test('for an administrators’ or a system type gives a member nothing, whatever it says', () => {
    const rules = [...ADMIN_TYPES, ...SYSTEM_TYPES, '*'].map((resourceType) => ({ resourceType }));
    const actor = member({ rules });
    for (const type of [...ADMIN_TYPES, ...SYSTEM_TYPES]) expect([type, may(actor, type)]).toEqual([type, []]);
  });

  test('for * lets programs be seen and run, and changed only when it names them', () => {
    expect(may(member({ rules: [{ resourceType: '*' }] }), 'Bot', WRITING)).toEqual([]);
    expect(may(member({ rules: [{ resourceType: 'Bot' }] }), 'Bot')).toEqual(INTERACTIONS);
  });

  test('that an administrator has does not limit what makes them one, and does limit the rest', () => {
    const actor = member({ rules: [{ resourceType: 'Patient', readonly: true }], membership: { admin: true } });
    expect(may(actor, 'ProjectMembership', READING)).toEqual(READING);
    expect(may(actor, 'Patient', WRITING)).toEqual([]);
    expect(may(actor, 'Observation')).toEqual([]);
  });

  test('limits a super-admin too: without one for Project, no project is made', () => {
    expect(may(member({ superAdmin: true }), 'Project')).toEqual(INTERACTIONS);
    const limited = member({ superAdmin: true, rules: [{ resourceType: 'User', readonly: true }] });
    expect([may(limited, 'Project'), may(limited, 'User', WRITING)]).toEqual([[], []]);
    for (const type of SYSTEM_TYPES) expect(may(member({ superAdmin: true }), type)).toEqual([]);
  });
});

describe('criteria', () => {
  test('let through what matches and nothing else; of several rules one is enough', () => {
    const rules = [
      { resourceType: 'Observation', criteria: 'Observation?subject=Patient/1' },
      { resourceType: 'Observation', criteria: 'Observation?subject=Patient/2' },
    ];
    const actor = member({ rules });
    const seen = ['Patient/1', 'Patient/2', 'Patient/3', 'Patient/12'].map((subject) =>
      reaches(actor, observation(subject)),
    );
    expect(seen).toEqual([true, true, false, false]);
  });

  test('%profile and %patient are who the member is; a parameter named patient wins', () => {
    const rules = [{ resourceType: 'Observation', criteria: 'Observation?subject=%patient' }];
    const patient = member({ rules, membership: { profile: { reference: 'Patient/me' } } });
    expect([reaches(patient, observation('Patient/me')), reaches(patient, observation('Patient/you'))]).toEqual([
      true,
      false,
    ]);
    const access = [
      {
        policy: { reference: 'AccessPolicy/p' },
        parameter: [{ name: 'patient', valueReference: { reference: 'Patient/child' } }],
      },
    ];
    const parent = member({
      rules,
      membership: { profile: { reference: 'RelatedPerson/me' }, accessPolicy: undefined, access },
    });
    expect([reaches(parent, observation('Patient/child')), reaches(parent, observation('Patient/me'))]).toEqual([
      true,
      false,
    ]);
  });

  test('that speak of %now are another at each moment', () => {
    const actor = member({ rules: [{ resourceType: 'Observation', criteria: 'Observation?date=lt%now' }] });
    const at = (time: number) => ({ ...observation('Patient/1'), effectiveDateTime: new Date(time).toISOString() });
    expect(reaches(actor, at(Date.now() - 60_000))).toBe(true);
    expect(reaches(actor, at(Date.now() + 60_000))).toBe(false);
    vi.useFakeTimers({ now: Date.now() + 120_000, toFake: ['Date'] });
    try {
      expect(reaches(actor, at(Date.now() - 60_000))).toBe(true);
    } finally {
      vi.useRealTimers();
    }
  });

  test('with a variable that nothing binds grant nothing', () => {
    const rules = [{ resourceType: 'Observation', criteria: 'Observation?subject=%patient' }];
    expect(may(member({ rules }), 'Observation')).toEqual([]);
  });

  test('whose variable holds what looks like more criteria stay one value', () => {
    const rules = [{ resourceType: 'Observation', criteria: 'Observation?subject=%who' }];
    for (const valueString of ['Patient/1,Patient/2', 'Patient/1&_id:not=x', 'Patient/1|', '%patient', '*', '']) {
      const access = [{ policy: { reference: 'AccessPolicy/p' }, parameter: [{ name: 'who', valueString }] }];
      const actor = member({ rules, membership: { accessPolicy: undefined, access } });
      expect([valueString, reaches(actor, observation('Patient/2'))]).toEqual([valueString, false]);
    }
  });

  const unjudged = [
    '',
    '?',
    'Observation?',
    'Patient?subject=Patient/1',
    '*?subject=Patient/1',
    'Observation?nosuch=1',
  ];
  const unjudgedToo = [
    'Observation?value-quantity=x',
    'Observation?subject.nosuch=x',
    'Observation?_has:x=1',
    'Observation?code:in=a',
  ];
  test.each([...unjudged, ...unjudgedToo])('%j cannot be judged, so the rule grants nothing', (criteria) => {
    expect(may(member({ rules: [{ resourceType: 'Observation', criteria }] }), 'Observation')).toEqual([]);
    expect(may(member({ rules: [{ resourceType: '*', criteria }] }), 'Observation')).toEqual([]);
  });
});

describe('fields', () => {
  const rules: AccessPolicyRule[] = [
    { resourceType: 'Patient', criteria: 'Patient?gender=male', hiddenFields: ['name'] },
    { resourceType: 'Patient' },
    { resourceType: 'Observation' },
  ];

  test('are asked of nothing where no rule of the type speaks of them', () => {
    expect(gateOf(member({ rules: rules.slice(1) }))).toBeUndefined();
    expect([hasFields(member({ rules }), 'Observation'), hasFields(member({ rules }), 'Patient')]).toEqual([
      false,
      true,
    ]);
    const [of, plain] = [member({ rules }), member({ rules: rules.slice(1) })];
    expect(reach(of, 'Observation', 'search')).toEqual(reach(plain, 'Observation', 'search'));
    expect(gateOf(of)?.('Observation', searchParam('Observation', 'code')!)).toBeUndefined();
    expect(gateOf(of)?.('Patient', searchParam('Patient', 'gender')!)).toBeUndefined();
  });

  test('limit who has them, whatever else they may, and so do constraints', () => {
    const all = { resourceType: '*' };
    expect(isUnlimited(member({ rules: [all] }).policy)).toBe(true);
    expect(isUnlimited(member({ rules: [rules[0]!, all] }).policy)).toBe(false);
    const writeConstraint = [{ language: 'text/fhirpath', expression: 'true' }];
    expect(isUnlimited(member({ rules: [{ ...all, writeConstraint }] }).policy)).toBe(false);
  });

  test('of a rule that cannot be judged close its whole policy: what comes after would show them', () => {
    const [first, ...others] = rules;
    const actor = member({ rules: [{ ...first!, criteria: 'Patient?organization=%nothing' }, ...others] });
    expect([may(actor, 'Patient'), may(actor, 'Observation')]).toEqual([[], []]);
  });
});

describe('what the engine cannot judge grants nothing', () => {
  test('a rule or a policy with any further field', () => {
    const words = fc
      .stringMatching(/^[a-z]{3,12}$/)
      .filter(
        (word) =>
          ![
            'meta',
            'name',
            'text',
            'language',
            'extension',
            'resource',
            'criteria',
            'readonly',
            'interaction',
          ].includes(word),
      );
    fc.assert(
      fc.property(words, fc.jsonValue(), (field, value) => {
        const rule = { resourceType: 'Patient', [field]: value } as AccessPolicyRule;
        expect(may(member({ rules: [rule] }), 'Patient')).toEqual([]);
        expect(may(member({ rules: [{ resourceType: 'Patient' }], policy: { [field]: value } }), 'Patient')).toEqual(
          [],
        );
      }),
    );
  });

  test('a membership whose reference to a policy says nothing: no rights, not all of them', () => {
    for (const membership of [
      { accessPolicy: {} },
      { accessPolicy: { display: 'Nurses' } },
      { access: [{}] },
      { access: [{ policy: {} }] },
    ] as Partial<ProjectMembership>[]) {
      expect(may(member({ membership }), 'Patient')).toEqual([]);
    }
    expect(may(member({ membership: { access: [] } }), 'Patient')).toEqual(INTERACTIONS);
  });
});

test('outside its dates an entry gives nothing, to the moment, and its rules of addresses are asked of nobody; a limit by time is a limit', () => {
  const policy = {
    resourceType: 'AccessPolicy',
    resource: [{ resourceType: '*' }],
    ipAccessRule: [{ value: '*', action: 'block' }],
  } as AccessPolicy;
  const given = {
    policy: { reference: 'AccessPolicy/p' },
    period: { start: '2030-02-01', end: '2030-02-10T08:00:00Z' },
  };
  const membership = { profile: { reference: 'Practitioner/me' }, access: [given] } as ProjectMembership;
  const source = { projectId: PROJECT, membership, policies: new Map([['AccessPolicy/p', policy]]), superAdmin: false };
  const actor = { policy: compiled(source) } as Actor;
  const states = [
    '2030-01-31T23:59:59.999Z',
    '2030-02-01T00:00:00Z',
    '2030-02-10T07:59:59.999Z',
    '2030-02-10T08:00:00Z',
  ];
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    const seen = states.map((now) => {
      vi.setSystemTime(new Date(now));
      expect(isUnlimited(actor.policy)).toBe(false);
      const fault = findPlaceFault({ ...actor, bounds: {} }, { remoteAddress: '203.0.113.9' });
      return [mayReach(actor, 'Patient', 'read'), fault !== undefined];
    });
    expect(seen).toEqual([
      [false, false],
      [true, true],
      [true, true],
      [false, false],
    ]);
  } finally {
    vi.useRealTimers();
  }
  const then = (at: string) => ({ policy: compiled({ ...source, at: Date.parse(at) }) }) as Actor;
  expect(states.map((at) => mayReach(then(at), 'Patient', 'read'))).toEqual([false, true, true, false]);
});

test('entries for one record each are one question, put together once; what a moment changes is asked each time', () => {
  const policies = new Map([
    [
      'AccessPolicy/p',
      {
        resourceType: 'AccessPolicy',
        resource: [
          { resourceType: 'Patient', criteria: 'Patient?_id=%of.id' },
          { resourceType: 'Task', criteria: 'Task?_lastUpdated=lt%now' },
        ],
      } as AccessPolicy,
    ],
  ]);
  const access = ['a', 'b', 'a'].map((id) => ({
    policy: { reference: 'AccessPolicy/p' },
    parameter: [{ name: 'of', valueReference: { reference: `Patient/${id}` } }],
  }));
  const membership = { profile: { reference: 'Practitioner/me' }, access } as ProjectMembership;
  const actor = { policy: compiled({ projectId: PROJECT, membership, policies, superAdmin: false }) } as Actor;
  expect(reach(actor, 'Patient', 'read')).toEqual({ op: 'id', anyOf: ['a', 'b'] });
  expect(reach(actor, 'Patient', 'read')).toBe(reach(actor, 'Patient', 'read'));
  expect(reach(actor, 'Task', 'read')).not.toBe(reach(actor, 'Task', 'read'));
  expect(() => reach(actor, 'Observation', 'read')).toThrow('Forbidden');
});
