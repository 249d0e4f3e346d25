import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { INVARIANTS } from '../generated/invariants.ts';
import { structure } from '../structures.ts';
import { judgeResource } from '../validate/validate.ts';
import { invariantsOf, NOT_JUDGED } from './invariants-of.ts';

type Evaluate = (node: unknown, variables: Record<string, unknown>) => unknown[];
const require = createRequire(import.meta.url);
const engine = require('fhirpath') as { compile(path: object, model: unknown): Evaluate };
const model: unknown = require('fhirpath/fhir-context/r4');

/** Of one element of a resource: what is wrong, with one such resource for each key, and what is right beside it. */
type Case = { keys: string; type: string; bad: object; good?: object };

const subject = { reference: 'Patient/1' };
const code = { text: 'x' };
const UCUM = 'http://unitsofmeasure.org';
const TERMS = 'http://terminology.hl7.org/CodeSystem';
const coded = (system: string, code: string) => ({ coding: [{ system: `${TERMS}/${system}`, code }] });
const observation = { status: 'final', code };
const timed = (repeat: object) => ({ status: 'final', code, effectiveTiming: { repeat } });
const contained = (resource: object, more: object = {}) => ({
  contained: [{ resourceType: 'Practitioner', id: 'a', ...resource }],
  generalPractitioner: [{ reference: '#a' }],
  ...more,
});
const bundle = (type: string, entry: object[], more: object = {}) => ({ type, entry, ...more });
const patient = { resourceType: 'Patient' };
const item = (more: object) => ({ status: 'draft', item: [{ linkId: '1', type: 'string', ...more }] });
const include = (more: object) => ({ status: 'draft', compose: { include: [more] } });
const contains = (more: object) => ({
  status: 'draft',
  expansion: { timestamp: '2024-01-01T00:00:00Z', contains: [more] },
});
const visit = (more: object) => ({
  status: 'proposed',
  participant: [{ actor: subject, status: 'accepted' }],
  ...more,
});

const CASES: Case[] = [
  {
    keys: 'pat-1',
    type: 'Patient',
    bad: { contact: [{ gender: 'male' }] },
    good: { contact: [{ name: { text: 'x' } }] },
  },
  {
    keys: 'cpt-2',
    type: 'Patient',
    bad: { telecom: [{ value: '1' }] },
    good: { telecom: [{ system: 'phone', value: '1' }] },
  },
  { keys: 'att-1', type: 'Patient', bad: { photo: [{ data: 'YWJj' }] } },
  {
    keys: 'per-1',
    type: 'Patient',
    bad: { name: [{ text: 'x', period: { start: '2024-02-01', end: '2024-01-31' } }] },
    good: { name: [{ text: 'x', period: { start: '2024-02-01', end: '2024' } }] },
  },
  {
    keys: 'dom-2 dom-3',
    type: 'Patient',
    bad: contained({ contained: [{ resourceType: 'Patient', id: 'b' }] }),
  },
  {
    keys: 'dom-3',
    type: 'Patient',
    bad: contained({}, { generalPractitioner: [{ display: 'x' }] }),
    good: contained({}),
  },
  { keys: 'dom-4', type: 'Patient', bad: contained({ meta: { versionId: '1' } }) },
  { keys: 'dom-5', type: 'Patient', bad: contained({ meta: { security: [{ code: 'R' }] } }) },
  { keys: 'obs-6', type: 'Observation', bad: { ...observation, valueString: 'x', dataAbsentReason: code } },
  {
    keys: 'obs-7',
    type: 'Observation',
    bad: {
      status: 'final',
      code: { coding: [{ system: 'urn:x', code: 'a' }] },
      valueString: 'x',
      component: [{ code: { coding: [{ system: 'urn:x', code: 'a' }] } }],
    },
    good: {
      status: 'final',
      code: { coding: [{ system: 'urn:x', code: 'a' }] },
      valueString: 'x',
      component: [{ code: { coding: [{ system: 'urn:x', code: 'b' }] } }],
    },
  },
  { keys: 'obs-3', type: 'Observation', bad: { ...observation, referenceRange: [{ appliesTo: [code] }] } },
  { keys: 'qty-3', type: 'Observation', bad: { ...observation, valueQuantity: { value: 1, code: 'mg' } } },
  {
    keys: 'rng-2',
    type: 'Observation',
    bad: { ...observation, valueRange: { low: { value: 2 }, high: { value: 1 } } },
  },
  { keys: 'rat-1', type: 'Observation', bad: { ...observation, valueRatio: { numerator: { value: 1 } } } },
  { keys: 'tim-1', type: 'Observation', bad: timed({ duration: 1 }) },
  { keys: 'tim-2', type: 'Observation', bad: timed({ period: 1 }) },
  { keys: 'tim-4', type: 'Observation', bad: timed({ duration: -1, durationUnit: 's' }) },
  { keys: 'tim-5', type: 'Observation', bad: timed({ period: -1, periodUnit: 's' }) },
  { keys: 'tim-6', type: 'Observation', bad: timed({ periodMax: 1 }) },
  { keys: 'tim-7', type: 'Observation', bad: timed({ durationMax: 1 }) },
  { keys: 'tim-8', type: 'Observation', bad: timed({ countMax: 1 }) },
  {
    keys: 'tim-9',
    type: 'Observation',
    bad: timed({ offset: 1, when: ['CM'] }),
    good: timed({ offset: 1, when: ['ACM'] }),
  },
  { keys: 'tim-10', type: 'Observation', bad: timed({ timeOfDay: ['10:00:00'], when: ['ACM'] }) },
  {
    keys: 'age-1',
    type: 'Condition',
    bad: {
      subject,
      clinicalStatus: coded('condition-clinical', 'active'),
      onsetAge: { value: 0, code: 'a', system: UCUM },
    },
  },
  {
    keys: 'drt-1',
    type: 'Encounter',
    bad: { status: 'planned', class: { code: 'AMB' }, length: { value: 1, code: 's', system: 'urn:x' } },
  },
  {
    keys: 'con-4',
    type: 'Condition',
    bad: { subject, abatementString: 'x', clinicalStatus: coded('condition-clinical', 'active') },
  },
  {
    keys: 'con-5',
    type: 'Condition',
    bad: {
      subject,
      verificationStatus: coded('condition-ver-status', 'entered-in-error'),
      clinicalStatus: coded('condition-clinical', 'active'),
    },
  },
  { keys: 'con-1', type: 'Condition', bad: { subject, stage: [{ type: code }] } },
  { keys: 'con-2', type: 'Condition', bad: { subject, evidence: [{ id: 'x' }] } },
  { keys: 'ait-1', type: 'AllergyIntolerance', bad: { patient: subject } },
  {
    keys: 'ait-2',
    type: 'AllergyIntolerance',
    bad: {
      patient: subject,
      verificationStatus: coded('allergyintolerance-verification', 'entered-in-error'),
      clinicalStatus: coded('allergyintolerance-clinical', 'active'),
    },
  },
  {
    keys: 'fhs-1',
    type: 'FamilyMemberHistory',
    bad: { status: 'partial', patient: subject, relationship: code, ageString: 'x', bornString: 'y' },
  },
  {
    keys: 'fhs-2',
    type: 'FamilyMemberHistory',
    bad: { status: 'partial', patient: subject, relationship: code, estimatedAge: true },
  },
  {
    keys: 'lst-1',
    type: 'List',
    bad: { status: 'current', mode: 'changes', emptyReason: code, entry: [{ item: subject }] },
  },
  {
    keys: 'lst-2',
    type: 'List',
    bad: { status: 'current', mode: 'working', entry: [{ item: subject, deleted: true }] },
  },
  {
    keys: 'lst-3',
    type: 'List',
    bad: { status: 'current', mode: 'changes', entry: [{ item: subject, date: '2024' }] },
  },
  {
    keys: 'mad-1',
    type: 'MedicationAdministration',
    bad: {
      status: 'completed',
      medicationCodeableConcept: code,
      subject,
      effectiveDateTime: '2024',
      dosage: { text: 'x' },
    },
  },
  { keys: 'prr-1', type: 'ServiceRequest', bad: { status: 'active', intent: 'order', subject, orderDetail: [code] } },
  { keys: 'org-1', type: 'Organization', bad: { active: true } },
  { keys: 'org-2', type: 'Organization', bad: { name: 'x', address: [{ use: 'home' }] } },
  { keys: 'org-3', type: 'Organization', bad: { name: 'x', telecom: [{ use: 'home' }] } },
  {
    keys: 'app-1',
    type: 'Appointment',
    bad: { status: 'proposed', participant: [{ status: 'accepted' }] },
    good: visit({}),
  },
  { keys: 'app-2', type: 'Appointment', bad: visit({ start: '2024-01-01T00:00:00Z' }) },
  { keys: 'app-3', type: 'Appointment', bad: visit({ status: 'booked' }) },
  { keys: 'app-4', type: 'Appointment', bad: visit({ cancelationReason: code }) },
  { keys: 'grp-1', type: 'Group', bad: { type: 'person', actual: false, member: [{ entity: subject }] } },
  { keys: 'lnk-1', type: 'Linkage', bad: { item: [{ type: 'source', resource: subject }] } },
  { keys: 'bdl-1', type: 'Bundle', bad: { type: 'collection', total: 1 } },
  { keys: 'bdl-2', type: 'Bundle', bad: bundle('collection', [{ resource: patient, search: { mode: 'match' } }]) },
  { keys: 'bdl-3', type: 'Bundle', bad: bundle('batch', [{ resource: patient }]) },
  { keys: 'bdl-4', type: 'Bundle', bad: bundle('batch-response', [{ resource: patient }]) },
  { keys: 'bdl-5', type: 'Bundle', bad: bundle('collection', [{ fullUrl: 'urn:x' }]) },
  {
    keys: 'bdl-7',
    type: 'Bundle',
    bad: bundle('collection', [
      { fullUrl: 'urn:x', resource: patient },
      { fullUrl: 'urn:x', resource: patient },
    ]),
  },
  {
    keys: 'bdl-8',
    type: 'Bundle',
    bad: bundle('collection', [{ fullUrl: 'http://x.org/Patient/1/_history/1', resource: patient }]),
  },
  { keys: 'bdl-9 bdl-10 bdl-11', type: 'Bundle', bad: bundle('document', [{ fullUrl: 'urn:x', resource: patient }]) },
  { keys: 'bdl-12', type: 'Bundle', bad: bundle('message', [{ fullUrl: 'urn:x', resource: patient }]) },
  {
    keys: 'inv-1',
    type: 'Parameters',
    bad: { parameter: [{ name: 'x', valueString: 'a', part: [{ name: 'y', valueString: 'z' }] }] },
  },
  { keys: 'que-1', type: 'Questionnaire', bad: item({ type: 'group' }) },
  { keys: 'que-2', type: 'Questionnaire', bad: item({ item: [{ linkId: '1', type: 'string' }] }) },
  { keys: 'que-3', type: 'Questionnaire', bad: item({ type: 'display', code: [{ code: 'x' }] }) },
  {
    keys: 'que-4',
    type: 'Questionnaire',
    bad: item({ type: 'choice', answerValueSet: 'urn:x', answerOption: [{ valueString: 'x' }] }),
  },
  { keys: 'que-5', type: 'Questionnaire', bad: item({ type: 'boolean', answerOption: [{ valueString: 'x' }] }) },
  { keys: 'que-6', type: 'Questionnaire', bad: item({ type: 'display', required: true }) },
  {
    keys: 'que-7',
    type: 'Questionnaire',
    bad: item({ enableWhen: [{ question: 'a', operator: 'exists', answerString: 'x' }] }),
    good: item({ enableWhen: [{ question: 'a', operator: 'exists', answerBoolean: true }] }),
  },
  { keys: 'que-9', type: 'Questionnaire', bad: item({ type: 'display', readOnly: true }) },
  { keys: 'que-10', type: 'Questionnaire', bad: item({ type: 'date', maxLength: 3 }) },
  {
    keys: 'que-11',
    type: 'Questionnaire',
    bad: item({ type: 'choice', answerOption: [{ valueString: 'x' }], initial: [{ valueString: 'x' }] }),
  },
  { keys: 'que-13', type: 'Questionnaire', bad: item({ initial: [{ valueString: 'x' }, { valueString: 'y' }] }) },
  {
    keys: 'qrs-1',
    type: 'QuestionnaireResponse',
    bad: { status: 'completed', item: [{ linkId: '1', answer: [{ valueString: 'x' }], item: [{ linkId: '2' }] }] },
  },
  { keys: 'vsd-1', type: 'ValueSet', bad: include({ version: '1' }) },
  { keys: 'vsd-2', type: 'ValueSet', bad: include({ valueSet: ['urn:x'], concept: [{ code: 'x' }] }) },
  {
    keys: 'vsd-3',
    type: 'ValueSet',
    bad: include({ system: 'urn:x', concept: [{ code: 'x' }], filter: [{ property: 'a', op: '=', value: 'b' }] }),
  },
  { keys: 'vsd-9', type: 'ValueSet', bad: contains({ display: 'x' }) },
  { keys: 'vsd-10', type: 'ValueSet', bad: contains({ code: 'x' }) },
  {
    keys: 'csd-1',
    type: 'CodeSystem',
    bad: { status: 'draft', content: 'complete', concept: [{ code: 'a', concept: [{ code: 'a' }] }] },
  },
  {
    keys: 'cmd-1',
    type: 'ConceptMap',
    bad: { status: 'draft', group: [{ element: [{ target: [{ equivalence: 'narrower' }] }] }] },
  },
  {
    keys: 'spd-2',
    type: 'SearchParameter',
    bad: {
      url: 'urn:x',
      name: 'X',
      status: 'draft',
      description: 'x',
      code: 'x',
      base: ['Patient'],
      type: 'string',
      chain: ['y'],
    },
  },
  {
    keys: 'opd-1',
    type: 'OperationDefinition',
    bad: {
      name: 'X',
      status: 'draft',
      kind: 'operation',
      code: 'x',
      system: true,
      type: false,
      instance: false,
      parameter: [{ name: 'a', use: 'in', min: 0, max: '1' }],
    },
  },
];

/** What the engine, or the expression, does not find: dom-3 as R4 has it, and quantities without a unit. */
const UNSURE = ['dom-3', 'rng-2'];

const namesOf = (resource: object) =>
  judgeResource(resource).findings.flatMap(({ severity, text }) => {
    return severity === 'error' ? [/\(([a-z]+-\w+)\)$/.exec(text)?.[1]] : [];
  });

describe('invariants', () => {
  it.each(CASES)('$keys', ({ keys, type, bad, good }) => {
    const resource = { resourceType: type, ...bad };
    expect(judgeResource(resource).issues).toEqual([]);
    expect(namesOf(resource).sort()).toEqual(keys.split(' ').sort());
    if (good) expect(namesOf({ resourceType: type, ...good })).toEqual([]);
    for (const key of keys.split(' ').filter((each) => !UNSURE.includes(each)))
      expect(byEngine(key, resource), `${key} by fhirpath`).toBe(false);
  });

  it('each of R4 is judged, by us or by the engine, or stands among the exceptions', () => {
    const open = INVARIANTS.filter(([path, key]) => {
      if (Object.hasOwn(NOT_JUDGED, key) || path === 'DomainResource' || !/^[A-Z]\w+(\.\w+)*(\[x\])?$/.test(path))
        return false;
      if (['Event', 'MetadataResource', 'Definition', 'Request'].includes(path)) return false;
      const places = [path, path.slice(0, path.lastIndexOf('.')), path.split('.').slice(0, -2).join('.')];
      return !places.some((place) => {
        const { own, expressions } = invariantsOf(place);
        return structure(place) && [...own, ...expressions].some((one) => one.key === key);
      });
    });
    expect(open.map(([path, key]) => `${path} ${key}`)).toEqual([]);
  });
});

/** Whether the invariant holds for every element of the resource that it is of, as HL7's engine says. */
function byEngine(key: string, resource: object): boolean {
  const row = INVARIANTS.find(
    (each) => each[1] === key && (each[0].startsWith(typeOf(resource)) || !/^Parameters/.test(each[0])),
  );
  if (!row) throw new Error(key);
  const [path, , , expression] = row;
  const evaluate = engine.compile({ base: path === 'DomainResource' ? typeOf(resource) : path, expression }, model);
  const nodes =
    path.startsWith(typeOf(resource)) || path === 'DomainResource' ? below([resource], path) : all(resource);
  return nodes.every((node) => {
    try {
      return evaluate(node, { resource, rootResource: resource })[0] === true;
    } catch {
      return true;
    }
  });
}

function typeOf(resource: object): string {
  return (resource as { resourceType: string }).resourceType;
}

function below(nodes: unknown[], path: string): unknown[] {
  const [, ...names] = path.split('.');
  return path === 'DomainResource' ? nodes : names.reduce((found, name) => deeper(found, name), nodes);
}

function deeper(nodes: unknown[], name: string): unknown[] {
  const found = nodes.flatMap((node) => (node as Record<string, unknown>)[name] ?? []);
  return found.length === 0 ? [] : [...found, ...deeper(found, name)];
}

function all(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return [value, ...Object.values(value).flatMap(all)];
}
