import { beforeAll, describe, expect, test } from 'vitest';
import { definitions } from '#lib/http/fhir/operations/mounted.ts';
import type { Definition, Parameter } from '#lib/http/fhir/operations/operation.ts';
import { addressOf, nameOf } from '#lib/http/fhir/operations/to-definition.ts';
import { callFhir, expectIssue } from '#lib/testing/fhir/call-fhir.ts';
import { type Caller, makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';

/** What HL7's definitions (R4) have coming in. */
const HL7: Record<string, string> = {
  'CodeSystem-lookup': 'code system version coding date displayLanguage property',
  'CodeSystem-validate-code':
    'url codeSystem code version display coding codeableConcept date abstract displayLanguage',
  'ConceptMap-translate':
    'url conceptMap conceptMapVersion code system version source coding codeableConcept target targetsystem dependency reverse',
  'Group-export': '_outputFormat _since _type _typeFilter _elements patient includeAssociatedData',
  'Patient-export': '_outputFormat _since _type _typeFilter _elements patient includeAssociatedData',
  'System-export': '_outputFormat _since _type _typeFilter _elements includeAssociatedData',
  'Subscription-get-ws-binding-token': 'ids',
  'Encounter-everything': '_since _type _count',
  'Patient-everything': 'start end _since _type _count',
  'Resource-meta': '',
  'Resource-meta-add': 'meta',
  'Resource-meta-delete': 'meta',
  'Resource-validate': 'resource mode profile',
  'ValueSet-expand':
    'url valueSet valueSetVersion context contextDirection filter date offset count includeDesignations designation includeDefinition activeOnly excludeNested excludeNotForUI excludePostCoordinated displayLanguage exclude-system system-version check-system-version force-system-version',
  'ValueSet-validate-code':
    'url context valueSet valueSetVersion code system systemVersion display coding codeableConcept date abstract displayLanguage',
};
const VALUES: Record<Parameter['type'], [string, unknown]> = {
  boolean: ['valueBoolean', true],
  code: ['valueCode', 'x'],
  date: ['valueDate', '2026-01-01'],
  dateTime: ['valueDateTime', '2026-01-01'],
  instant: ['valueInstant', '2026-01-01T00:00:00Z'],
  integer: ['valueInteger', 1],
  string: ['valueString', 'x'],
  uri: ['valueUri', 'urn:x'],
  Coding: ['valueCoding', { system: 'urn:x', code: 'x' }],
  CodeableConcept: ['valueCodeableConcept', { coding: [{ system: 'urn:x', code: 'x' }] }],
  Meta: ['valueMeta', { tag: [] }],
  Reference: ['valueReference', { reference: 'User/x' }],
  Resource: ['resource', { resourceType: 'Patient' }],
};

let admin: Caller;
beforeAll(async () => {
  admin = (await makeFhirProject(true)).admin;
});

/** A bot gets whatever comes. */
const strict = () => definitions().filter(({ code }) => code !== 'execute');
const pathOf = ({ code, resource, at }: Definition) => {
  const type = resource === 'Resource' ? 'Patient' : resource;
  if (type === '') return `$${code}`;
  return at.includes('type') ? `${type}/$${code}` : `${type}/x/$${code}`;
};
const post = (definition: Definition, parameter: unknown[]) =>
  callFhir(admin, 'POST', pathOf(definition), { body: { resourceType: 'Parameters', parameter } });

describe('each operation', () => {
  test('has a definition of its own, told to who asks at its address, or HL7’s, all of which it takes', async () => {
    for (const definition of definitions()) {
      const name = nameOf(definition);
      const answer = await callFhir(admin, 'GET', `OperationDefinition/${name}`);
      expect(answer.status, name).toBe(200);
      expect(answer.body).toMatchObject({ resourceType: 'OperationDefinition', id: name, code: definition.code });
      const judged = await callFhir(admin, 'POST', 'OperationDefinition/$validate', { body: answer.body });
      expect(judged.text, name).not.toContain('"severity":"error"');
      const isWhole = definition.base !== undefined && !definition.lacks;
      expect(addressOf(definition)).toBe(isWhole ? definition.base : answer.body.url);
      expect(definition.base !== undefined).toBe(name in HL7);
    }
  });

  test('that HL7 defines says what of HL7’s it does not take', () => {
    for (const definition of definitions().filter(({ base }) => base !== undefined)) {
      const taken = Object.keys(definition.parameters);
      const missing = HL7[nameOf(definition)]!.split(' ').filter((name) => name !== '' && !taken.includes(name));
      const said = (definition.lacks ?? []).filter((name) => !name.includes(' '));
      expect([nameOf(definition), said.toSorted()]).toEqual([nameOf(definition), missing.toSorted()]);
    }
  });

  test('refuses what its definition has not, naming it, wherever it stands', async () => {
    for (const definition of strict()) {
      const unknown = ['nosuch', ...(definition.lacks ?? []).filter((name) => !name.includes(' '))];
      for (const name of unknown) {
        const inBody = await post(definition, [{ name, valueString: 'x' }]);
        expect([pathOf(definition), name, inBody.status]).toEqual([pathOf(definition), name, 400]);
        expect(inBody.text).toContain(name === 'nosuch' && definition.code === 'validate' ? 'parameter[0]' : name);
        const inAddress = await callFhir(admin, 'POST', `${pathOf(definition)}?${name}=x`, {
          body: { resourceType: 'Parameters', parameter: [] },
        });
        expect([pathOf(definition), name, inAddress.status]).toEqual([pathOf(definition), name, 400]);
        expect(inAddress.text).toContain(name);
      }
    }
  });

  test('takes each parameter of its definition, as often and of such a type as that says', async () => {
    for (const definition of strict()) {
      for (const [name, parameter] of Object.entries(definition.parameters)) {
        if ('part' in parameter) continue;
        const { type, max = 1 } = parameter;
        const [key, value] = VALUES[type];
        const once = { name, [key]: value };
        const about = `${pathOf(definition)} ${name}`;
        const taken = await post(definition, [once]);
        expect(taken.text, about).not.toMatch(/not supported here|Unknown parameter|nrecognized/);
        const often = await post(definition, Array(max + 1).fill(once));
        expect([about, often.status, often.body.issue[0].code]).toEqual([about, 400, 'invalid']);
        if (type === 'Resource') continue;
        const wrong = await post(definition, [{ name, valueRange: { low: { value: 1 } } }]);
        expect([about, wrong.status, wrong.body.resourceType]).toEqual([about, 400, 'OperationOutcome']);
        expect(wrong.text, about).toContain(definition.code === 'validate' ? 'parameter[0]' : name);
      }
    }
  });

  test('that is told secrets reads none from its address', async () => {
    const answer = await callFhir(admin, 'POST', 'ClientApplication/x/$rotate-secret?secret=hunter2');
    expectIssue(answer, 400, 'invalid', 'secret');
    expect(answer.text).not.toContain('hunter2');
  });

  test('takes its Parameters within a batch, too', async () => {
    const parameter = [{ name: 'nosuch', valueString: 'x' }];
    const request = { method: 'POST', url: 'CodeSystem/$lookup' };
    const entry = [{ request, resource: { resourceType: 'Parameters', parameter } }];
    const answer = await callFhir(admin, 'POST', '', { body: { resourceType: 'Bundle', type: 'batch', entry } });
    expect(answer.body.entry[0].response.status).toMatch(/^400/);
    expect(answer.text).toContain('nosuch');
  });
});
