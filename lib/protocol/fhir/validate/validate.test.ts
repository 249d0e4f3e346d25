import { describe, expect, it } from 'vitest';
import { parseJson } from '#lib/protocol/json/json.ts';
import { activity, condition, membership, observation, patient, practitioner } from '../fixtures.ts';
import { validateResource } from './validate.ts';

describe('validateResource accepts', () => {
  it.each([patient, practitioner, observation, condition, activity, membership])('a good $resourceType', (resource) => {
    expect(validateResource(resource, resource.resourceType)).toEqual([]);
  });

  it('no decimal beyond what can be computed with, however small', () => {
    const value = (text: string) =>
      parseJson(
        `{"resourceType":"Observation","status":"final","code":{"text":"x"},"valueQuantity":{"value":${text}}}`,
      );
    for (const text of ['1e-16384', '0e-999999', '1e309', '1e-401'])
      expect(validateResource(value(text)), text).not.toEqual([]);
    for (const text of ['1e-30', '0.000', '1.50E+3']) expect(validateResource(value(text)), text).toEqual([]);
  });

  it('decimals with their digits', () => {
    const value = parseJson('{"resourceType":"Observation","status":"final","code":{},"valueQuantity":{"value":1.50}}');
    expect(texts(value)).toEqual(['Observation.code: An element must not be empty']);
  });

  it('extensions of primitives, with null in the places that have none', () => {
    const given = { given: ['a', null], _given: [null, { extension: [{ url: 'urn:x', valueBoolean: true }] }] };
    expect(validateResource({ resourceType: 'Patient', name: [given], _birthDate: { id: 'b' } })).toEqual([]);
  });

  it('contained resources and bundles with conditional references', () => {
    const entry = {
      resource: { ...observation, subject: { reference: 'Patient?identifier=x' }, contained: [patient] },
    };
    expect(validateResource({ resourceType: 'Bundle', type: 'collection', entry: [entry] })).toEqual([]);
  });

  it('content references (nested questionnaire items)', () => {
    const item = [{ linkId: '1', type: 'group', item: [{ linkId: '1.1', type: 'string' }] }];
    expect(validateResource({ resourceType: 'Questionnaire', status: 'draft', item })).toEqual([]);
  });

  it('references to contained resources, from them to what contains them, and canonicals of them', () => {
    const contained = [
      { resourceType: 'Practitioner', id: 'gp', identifier: [{ value: '1', assigner: { reference: '#org' } }] },
      { resourceType: 'Organization', id: 'org' },
      { resourceType: 'Observation', id: 'o', status: 'final', code: { text: 'x' }, subject: { reference: '#' } },
    ];
    const patient = { resourceType: 'Patient', contained, generalPractitioner: [{ reference: '#gp' }] };
    expect(validateResource(patient)).toEqual([]);
    expect(validateResource({ resourceType: 'Bundle', type: 'collection', entry: [{ resource: patient }] })).toEqual(
      [],
    );
    const survey = { resourceType: 'Questionnaire', id: 'q', status: 'draft' };
    const answers = {
      resourceType: 'QuestionnaireResponse',
      status: 'completed',
      questionnaire: '#q',
      contained: [survey],
    };
    expect(validateResource(answers)).toEqual([]);
  });

  it('concepts with one code of a required set, extensions of values, media types and currencies', () => {
    const coding = [
      { system: 'http://snomed.info/sct', code: '1' },
      { system: 'http://terminology.hl7.org/CodeSystem/condition-clinical', code: 'active' },
    ];
    const subject = { reference: 'Patient/1' };
    expect(validateResource({ resourceType: 'Condition', subject, clinicalStatus: { coding, text: 'x' } })).toEqual([]);
    const extension = [
      { url: 'urn:a', extension: [{ url: 'b', valueCode: 'x' }] },
      { url: 'urn:c', _valueCode: { extension: [{ url: 'urn:d', valueBoolean: true }] } },
    ];
    const photo = ['image/png', 'text/plain; charset=utf-8', 'application/vnd.x+json;a="b c"'];
    const patient = { extension, photo: photo.map((contentType) => ({ contentType })) };
    expect(validateResource({ resourceType: 'Patient', ...patient })).toEqual([]);
    const invoice = { resourceType: 'Invoice', status: 'draft', totalNet: { value: 1, currency: 'EUR' } };
    expect(validateResource(invoice)).toEqual([]);
  });

  it("meta's extended members, which clients send back", () => {
    const meta = { project: 'p', author: { reference: 'Bot/1' }, accounts: [{ reference: 'Organization/1' }] };
    expect(validateResource({ resourceType: 'Patient', meta })).toEqual([]);
  });
});

describe('validateResource on policies', () => {
  it.each(['Patient?organization=%org', 'Patient?active=%x&_compartment=%patient', '*?_tag=urn:t|x'])(
    'accepts %s',
    (criteria) => {
      const resourceType = criteria.startsWith('*') ? '*' : 'Patient';
      expect(validateResource(policy({ resourceType, criteria }))).toEqual([]);
    },
  );
});

describe('validateResource refuses, naming the element:', () => {
  it.each([
    ['no object', [], undefined, 'structure'],
    ['no type', {}, 'resourceType', 'required'],
    ['an unknown type', { resourceType: 'Nope' }, 'resourceType', 'value'],
    ['an unknown element', p({ nmae: [] }), 'Patient.nmae', 'structure'],
    ['an unknown nested element', p({ name: [{}, { famly: 'x' }] }), 'Patient.name[1].famly', 'structure'],
    ['a single value where a list stands', p({ name: { family: 'x' } }), 'Patient.name', 'structure'],
    ['a list where a single value stands', p({ gender: ['male'] }), 'Patient.gender', 'structure'],
    ['a wrong JSON type', p({ active: 'true' }), 'Patient.active', 'structure'],
    ['a number as text', p({ name: [{ family: 1 }] }), 'Patient.name[0].family', 'structure'],
    [
      'a text of more than 1 MiB',
      p({ name: [{ family: 'x'.repeat(1024 * 1024 + 1) }] }),
      'Patient.name[0].family',
      'value',
    ],
    ['an empty string', p({ name: [{ family: '' }] }), 'Patient.name[0].family', 'value'],
    ['an empty list', p({ name: [] }), 'Patient.name', 'structure'],
    ['an empty object', p({ name: [{}] }), 'Patient.name[0]', 'structure'],
    ['null', p({ birthDate: null }), 'Patient.birthDate', 'structure'],
    ['null in a list', p({ name: [{ given: ['a', null] }] }), 'Patient.name[0].given[1]', 'structure'],
    ['an impossible date', p({ birthDate: '2023-02-29' }), 'Patient.birthDate', 'value'],
    ['a code that is not in the set', p({ gender: 'f' }), 'Patient.gender', 'code-invalid'],
    [
      'two choices at once',
      p({ deceasedBoolean: true, deceasedDateTime: '2020' }),
      'Patient.deceasedDateTime',
      'structure',
    ],
    ['an integer beyond 32 bits', p({ multipleBirthInteger: 2 ** 31 }), 'Patient.multipleBirthInteger', 'value'],
    ['NUL in a text', p({ name: [{ family: 'a\u0000' }] }), 'Patient.name[0].family', 'value'],
    ['half a surrogate pair', p({ name: [{ family: '\ud800' }] }), 'Patient.name[0].family', 'value'],
    ['a bad id', p({ id: 'a/b' }), 'Patient.id', 'value'],
    [
      'a reference to nothing',
      p({ managingOrganization: { reference: 'x' } }),
      'Patient.managingOrganization.reference',
      'value',
    ],
    [
      'a reference to a wrong type',
      p({ managingOrganization: { reference: 'Patient/1' } }),
      'Patient.managingOrganization.reference',
      'value',
    ],
    [
      'a script in the narrative',
      p({ text: { status: 'generated', div: '<div><script>x</script></div>' } }),
      'Patient.text.div',
      'value',
    ],
    [
      'an event handler in the narrative',
      p({ text: { status: 'generated', div: '<div><b onclick="x">a</b></div>' } }),
      'Patient.text.div',
      'value',
    ],
    [
      'a narrative that is not well-formed',
      p({ text: { status: 'generated', div: '<div><b>x</div>' } }),
      'Patient.text.div',
      'value',
    ],
    [
      'an extension with a value and extensions',
      p({ extension: [{ url: 'urn:x', valueString: 'x', extension: [{ url: 'urn:y', valueString: 'y' }] }] }),
      'Patient.extension[0]',
      'invariant',
    ],
    [
      'an extension with neither',
      p({ name: [{ family: 'x', _family: { extension: [{ url: 'urn:x' }] } }] }),
      'Patient.name[0]._family.extension[0]',
      'invariant',
    ],
    [
      'a reference to a contained resource that is not there',
      p({ generalPractitioner: [{ reference: '#nobody' }], contained: [{ resourceType: 'Practitioner', id: 'gp' }] }),
      'Patient.generalPractitioner[0].reference',
      'invariant',
    ],
    [
      'a canonical of a contained resource that is not there',
      { resourceType: 'QuestionnaireResponse', status: 'completed', questionnaire: '#none' },
      'QuestionnaireResponse.questionnaire',
      'invariant',
    ],
    [
      "a reference to what another entry's resource contains",
      {
        resourceType: 'Bundle',
        type: 'collection',
        entry: [
          { resource: p({ contained: [{ resourceType: 'Practitioner', id: 'gp' }] }) },
          { resource: p({ generalPractitioner: [{ reference: '#gp' }] }) },
        ],
      },
      'Bundle.entry[1].resource.generalPractitioner[0].reference',
      'invariant',
    ],
    ...[
      { text: 'well' },
      { coding: [{ code: 'active' }] },
      { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/condition-clinical', code: 'fine' }] },
    ].map((clinicalStatus): [string, object, string, string] => [
      `a concept without a code of its required set: ${JSON.stringify(clinicalStatus)}`,
      { resourceType: 'Condition', subject: { reference: 'Patient/1' }, clinicalStatus },
      'Condition.clinicalStatus',
      'code-invalid',
    ]),
    ...['picture', 'image/', 'image /png', 'text/plain; charset'].map(
      (contentType): [string, object, string, string] => [
        `${contentType} as a media type`,
        p({ photo: [{ contentType }] }),
        'Patient.photo[0].contentType',
        'code-invalid',
      ],
    ),
    ...['EURO', 'eur', 'ABC'].map((currency): [string, object, string, string] => [
      `${currency} as a currency`,
      { resourceType: 'Invoice', status: 'draft', totalNet: { value: 1, currency } },
      'Invoice.totalNet.currency',
      'code-invalid',
    ]),
    ['a missing element', { resourceType: 'Observation', code: { text: 'x' } }, 'Observation.status', 'required'],
    [
      'a bad contained resource',
      p({ contained: [{ resourceType: 'Patient', x: 1 }] }),
      'Patient.contained[0].x',
      'structure',
    ],
    [
      'a membership without profile',
      { ...membership, profile: undefined, user: { reference: 'Patient/1' } },
      'ProjectMembership.user.reference',
      'value',
    ],
    [
      'a policy reference of another type',
      { ...membership, accessPolicy: { reference: 'Patient/1' } },
      'ProjectMembership.accessPolicy.reference',
      'value',
    ],
    [
      'a user with capital letters in the address',
      { resourceType: 'User', firstName: 'a', lastName: 'b', email: 'A@b.c' },
      'User.email',
      'invariant',
    ],
    [
      'a client with a bad lifetime',
      { resourceType: 'ClientApplication', accessTokenLifetime: '1 hour' },
      'ClientApplication.accessTokenLifetime',
      'invariant',
    ],
    [
      'a client with a lifetime beyond all time',
      { resourceType: 'ClientApplication', accessTokenLifetime: `${'9'.repeat(400)}s` },
      'ClientApplication.accessTokenLifetime',
      'invariant',
    ],
    [
      'a policy of endless rules',
      { resourceType: 'AccessPolicy', resource: Array.from({ length: 501 }, () => ({ resourceType: 'Patient' })) },
      'AccessPolicy.resource',
      'invariant',
    ],
    ...[0, -1, 901].map((timeout): [string, object, string, string] => [
      `a bot with ${timeout} seconds`,
      { resourceType: 'Bot', timeout },
      'Bot.timeout',
      'invariant',
    ]),
    [
      'a client with a bad launch URI',
      { resourceType: 'ClientApplication', launchUri: 'javascript:x' },
      'ClientApplication.launchUri',
      'invariant',
    ],
    [
      'a policy for an unknown type',
      policy({ resourceType: 'Nope' }),
      'AccessPolicy.resource[0].resourceType',
      'value',
    ],
    [
      'criteria of another type',
      policy({ resourceType: 'Patient', criteria: 'Observation?code=x' }),
      'AccessPolicy.resource[0].criteria',
      'invariant',
    ],
    [
      'criteria with a list',
      policy({ resourceType: 'Patient', criteria: 'Patient?_list=x' }),
      'AccessPolicy.resource[0].criteria',
      'invariant',
    ],
    [
      'criteria that cannot be judged',
      policy({ resourceType: 'Patient', criteria: 'Patient?birthdate=soon' }),
      'AccessPolicy.resource[0].criteria',
      'invariant',
    ],
    ...(
      [
        ['Bot', { streamingEnabled: true }, 'streamingEnabled'],
        ['Bot', { auditEventDestination: ['resource', 'log'] }, 'auditEventDestination[1]'],
        ['ClientApplication', { certificateTrustStore: 'x' }, 'certificateTrustStore'],
        ['Project', { name: 'x', features: ['bots', 'google-auth-required'] }, 'features[1]'],
      ] as const
    ).map(([resourceType, elements, path]): [string, object, string, string] => [
      `an option that nothing honours: ${resourceType}.${path}`,
      { resourceType, ...elements },
      `${resourceType}.${path}`,
      'not-supported',
    ]),
    [
      'a password hash',
      { resourceType: 'User', firstName: 'a', lastName: 'b', passwordHash: 'x' },
      'User.passwordHash',
      'structure',
    ],
  ])('%s', (_name, value, expression, code) => {
    expect(validateResource(value)).toContainEqual(
      expect.objectContaining({ ...(expression ? { expression } : {}), code }),
    );
  });

  it.each([
    {
      resourceType: 'Bot',
      streamingEnabled: false,
      auditEventTrigger: 'on-error',
      auditEventDestination: ['resource'],
    },
    { resourceType: 'Project', name: 'x', checkReferencesOnWrite: true, features: ['bots', 'cron'] },
  ])('nothing of an option that asks for what happens anyway: %o', (value) => {
    expect(validateResource(value)).toEqual([]);
  });

  it('a resource of another type than expected', () => {
    expect(validateResource(patient, 'Observation')).toMatchObject([{ expression: 'resourceType' }]);
  });

  it('at most 50 things', () => {
    const name = Array.from({ length: 500 }, () => ({ x: 1 }));
    expect(validateResource({ resourceType: 'Patient', name })).toHaveLength(50);
  });
});

function p(elements: object): object {
  return { resourceType: 'Patient', ...elements };
}

function policy(rule: object): object {
  return { resourceType: 'AccessPolicy', resource: [rule] };
}

function texts(value: unknown): string[] {
  return validateResource(value).map(({ expression, text }) => `${expression}: ${text}`);
}
