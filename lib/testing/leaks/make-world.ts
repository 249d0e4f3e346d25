import fc from 'fast-check';
import type { AccessPolicyRule, Resource } from '#lib/protocol/fhir/types.ts';

export type Record = Resource & { id: string; [name: string]: unknown };
/** A rule, and by a reading of its own what it lets through. */
type Template = { criteria?: string; holds: (resource: Record) => boolean };
/** `rules`: of the member in the whole world; `open`: in the one without what is hidden from them. */
export type World = {
  whole: Record[];
  left: Record[];
  rules: AccessPolicyRule[];
  open: AccessPolicyRule[];
};

const FAMILIES = ['Ada', 'Adams', 'Bell', 'Okafor'];
const DATES = ['1950-03-04', '1974-12-01', '1999-06-30', '2010-01-31'];
const CODES = ['c1', 'c2', 'c3'];
const of = <T>(list: readonly T[]) => fc.constantFrom(...list);
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 3 });
const ids = (type: string, count: number) => Array.from({ length: count }, (_, at) => `${type.toLowerCase()}-${at}`);
const PATIENTS = ids('Patient', 5);
const DOCTORS = ids('Practitioner', 3);
const ENCOUNTERS = ids('Encounter', 3);

const patient = fc.record({
  text: maybe(
    of(FAMILIES).map((name) => ({
      status: 'generated',
      div: `<div xmlns="http://www.w3.org/1999/xhtml">${name}</div>`,
    })),
  ),
  name: maybe(of(FAMILIES).map((family) => [{ family }])),
  gender: maybe(of(['male', 'female'])),
  birthDate: maybe(of(DATES)),
  telecom: maybe(of(['1', '2']).map((value) => [{ system: 'phone', value }])),
  identifier: maybe(of(['A', 'B']).map((value) => [{ system: 'urn:mrn', value }])),
  generalPractitioner: maybe(of(DOCTORS).map((id) => [{ reference: `Practitioner/${id}` }])),
  link: maybe(of(PATIENTS).map((id) => [{ type: 'seealso', other: { reference: `Patient/${id}` } }])),
});
const practitioner = fc.record({
  name: maybe(of(FAMILIES).map((family) => [{ family }])),
  active: maybe(fc.boolean()),
});
const encounter = fc.record({
  status: of(['planned', 'finished']),
  class: fc.constant({ code: 'AMB' }),
  subject: maybe(of(PATIENTS).map((id) => ({ reference: `Patient/${id}` }))),
});
/** To which somebody has put it: a client sees it in extended mode alone, and no rule hides it. */
const accounts = fc.subarray([...PATIENTS.slice(0, 2).map((id) => `Patient/${id}`), 'Organization/organization-0']);
const observation = fc.record({
  meta: maybe(accounts.filter((all) => all.length > 0).map((all) => ({ accounts: all.map(referTo) }))),
  status: of(['final', 'preliminary']),
  code: of(CODES).map((code) => ({ coding: [{ system: 'urn:c', code }] })),
  subject: maybe(of(PATIENTS).map((id) => ({ reference: `Patient/${id}` }))),
  encounter: maybe(of(ENCOUNTERS).map((id) => ({ reference: `Encounter/${id}` }))),
  performer: maybe(of(DOCTORS).map((id) => [{ reference: `Practitioner/${id}` }])),
  effectiveDateTime: maybe(of(DATES)),
  valueQuantity: maybe(fc.integer({ min: 0, max: 9 }).map((value) => ({ value, unit: 'kg' }))),
});

const list = fc.record({
  status: of(['current', 'retired']),
  mode: fc.constant('working'),
  title: maybe(of(FAMILIES)),
  entry: fc.subarray(PATIENTS, { minLength: 1 }).map((all) => all.map((id) => ({ item: referTo(`Patient/${id}`) }))),
});
const group = fc.record({
  type: fc.constant('person'),
  actual: fc.constant(true),
  identifier: maybe(of(['A', 'B']).map((value) => [{ system: 'urn:group', value }])),
  member: fc.subarray(PATIENTS, { minLength: 1 }).map((all) => all.map((id) => ({ entity: referTo(`Patient/${id}`) }))),
});
const binary = fc.record({
  contentType: fc.constant('text/plain'),
  data: fc.constant('aGlkZGVu'),
  securityContext: maybe(of([...PATIENTS, ...ENCOUNTERS]).map((id) => referTo(withType(id)))),
});
const valueSet = fc.record({
  url: of(['urn:set-0', 'urn:set-1']),
  status: of(['active', 'draft']),
  compose: of([
    { include: [{ system: 'urn:c', concept: [{ code: 'c1' }, { code: 'c2' }] }] },
    { include: [{ system: 'urn:own' }] },
    { include: [{ valueSet: ['urn:set-1'] }] },
    { include: [{ system: 'urn:own', filter: [{ property: 'concept', op: 'is-a', value: 'c1' }] }] },
  ]),
});
const codeSystem = fc.record({
  url: of(['urn:own', 'urn:c']),
  status: of(['active', 'draft']),
  content: fc.constant('complete'),
  concept: of([[{ code: 'c1', display: 'Sugar', concept: [{ code: 'c2' }] }], [{ code: 'c3', display: 'Salt' }]]),
});
const conceptMap = fc.record({
  url: fc.constant('urn:map'),
  status: of(['active', 'draft']),
  group: of(CODES).map((code) => {
    const element = [{ code, target: [{ code: 'x', equivalence: 'equal' }] }];
    return [{ source: 'urn:c', target: 'urn:x', element }];
  }),
});
const structureDefinition = fc.record({
  url: fc.constant('urn:profile'),
  name: fc.constant('Named'),
  status: of(['active', 'draft']),
  kind: fc.constant('resource'),
  abstract: fc.constant(false),
  type: fc.constant('Patient'),
  baseDefinition: fc.constant('http://hl7.org/fhir/StructureDefinition/Patient'),
  derivation: fc.constant('constraint'),
  differential: of(['Patient.name', 'Patient.gender']).map((path) => ({ element: [{ id: path, path, min: 1 }] })),
});

function referTo(reference: string) {
  return { reference };
}

function withType(id: string): string {
  return `${id.startsWith('patient') ? 'Patient' : 'Encounter'}/${id}`;
}

const ACTIVE: Template[] = [
  { holds: () => true },
  { criteria: '?status=active', holds: ({ status }) => status === 'active' },
];

/** Each asks by elements that no rule hides. */
const TEMPLATES: { [type: string]: Template[] } = {
  Patient: [
    { holds: () => true },
    { criteria: 'Patient?gender=female', holds: (one) => one.gender === 'female' },
    { criteria: 'Patient?gender:not=female', holds: (one) => one.gender !== 'female' },
    { criteria: 'Patient?_id=patient-0,patient-2', holds: ({ id }) => id === 'patient-0' || id === 'patient-2' },
    {
      criteria: 'Patient?_compartment=Patient/patient-1',
      holds: (one) => one.id === 'patient-1' || asText(one.link).includes('Patient/patient-1"'),
    },
    {
      criteria: 'Patient?identifier:missing=false&gender=male',
      holds: (one) => one.gender === 'male' && one.identifier !== undefined,
    },
  ],
  Practitioner: [
    { holds: () => true },
    { criteria: 'Practitioner?active=true', holds: ({ active }) => active === true },
  ],
  Encounter: [
    { holds: () => true },
    { criteria: 'Encounter?status=finished', holds: ({ status }) => status === 'finished' },
    { criteria: 'Encounter?patient=patient-0,patient-1', holds: (one) => /patient-[01]"/.test(asText(one.subject)) },
  ],
  Observation: [
    { holds: () => true },
    { criteria: 'Observation?status=final', holds: ({ status }) => status === 'final' },
    { criteria: 'Observation?date=ge1974-12', holds: (one) => String(one.effectiveDateTime ?? '') >= '1974-12' },
    { criteria: 'Observation?date:missing=true', holds: (one) => one.effectiveDateTime === undefined },
    {
      criteria: 'Observation?_compartment=Organization/organization-0',
      holds: (one) => asText(one.meta).includes('Organization/organization-0"'),
    },
    {
      criteria: 'Observation?code=urn:c|c1&status:not=final',
      holds: (one) => asText(one.code).includes('"c1"') && one.status !== 'final',
    },
  ],
  List: [{ holds: () => true }, { criteria: 'List?status=current', holds: ({ status }) => status === 'current' }],
  Group: [{ holds: () => true }, { criteria: 'Group?_id=group-0', holds: ({ id }) => id === 'group-0' }],
  Binary: [{ holds: () => true }],
  ValueSet: ACTIVE,
  CodeSystem: ACTIVE,
  ConceptMap: ACTIVE,
  StructureDefinition: ACTIVE,
};
/** What may be hidden: none of it is what a template asks by. */
const HIDEABLE: { [type: string]: string[] } = {
  Patient: ['text', 'name', 'birthDate', 'telecom', 'generalPractitioner'],
  Practitioner: ['name'],
  Encounter: [],
  Observation: ['encounter', 'performer', 'value[x]'],
  List: ['title', 'entry'],
};
const CLINICAL = ['Patient', 'Practitioner', 'Encounter', 'Observation'];

function asText(value: unknown): string {
  return JSON.stringify(value ?? null);
}

type Drawn = { type: string; template: Template; hidden: string[] };

const records = (type: string, names: string[], fields: fc.Arbitrary<object>) =>
  fc.tuple(
    ...names.map((id) =>
      fields.map((one) => ({ resourceType: type, id, ...JSON.parse(JSON.stringify(one)) }) as Record),
    ),
  );
const drawn = (type: string) =>
  fc.record({ type: fc.constant(type), template: of(TEMPLATES[type]!), hidden: fc.subarray(HIDEABLE[type] ?? []) });
const clinicalRule = of(CLINICAL).chain(drawn);
const BESIDE = Object.keys(TEMPLATES).filter((type) => !CLINICAL.includes(type));

/** Some resources, what a member may see of them, and the same without what they may not. */
export const world: fc.Arbitrary<World> = fc
  .tuple(
    fc.tuple(
      records('Practitioner', DOCTORS, practitioner),
      records('Patient', PATIENTS, patient),
      records('Encounter', ENCOUNTERS, encounter),
      records('Observation', ids('Observation', 9), observation),
      records('List', ids('List', 2), list),
      records('Group', ids('Group', 2), group),
      records('Binary', ids('Binary', 3), binary),
      records('ValueSet', ids('ValueSet', 2), valueSet),
      records('CodeSystem', ids('CodeSystem', 2), codeSystem),
      records('ConceptMap', ids('ConceptMap', 1), conceptMap),
      records('StructureDefinition', ids('StructureDefinition', 1), structureDefinition),
    ),
    fc.array(clinicalRule, { minLength: 2, maxLength: 6 }),
    fc.subarray(BESIDE).chain((types) => fc.tuple(...types.map(drawn))),
  )
  .map(([lists, rules, beside]) => toWorld(lists.flat(), [...rules, ...beside]));

function toWorld(whole: Record[], drawnRules: Drawn[]): World {
  const rules = drawnRules.map(({ type, template, hidden }): AccessPolicyRule => {
    return {
      resourceType: type,
      ...(template.criteria && { criteria: template.criteria.replace(/^\?/, `${type}?`) }),
      ...(hidden.length > 0 && { hiddenFields: hidden }),
    };
  });
  const deciding = (one: Record) =>
    drawnRules.find(({ type, template }) => type === one.resourceType && template.holds(one));
  const left = whole.flatMap((one): Record[] => {
    const rule = deciding(one);
    // Everybody reads profiles, unless a rule speaks of them.
    if (!rule) return one.resourceType === 'StructureDefinition' && !drawnRules.some(isOfProfiles) ? [one] : [];
    const owner = one.securityContext as { reference: string } | undefined;
    const context = whole.find(({ resourceType, id }) => owner?.reference === `${resourceType}/${id}`);
    if (context && !deciding(context)) return [];
    const names = rule.hidden.map((name) => (name === 'value[x]' ? 'valueQuantity' : name));
    return [Object.fromEntries(Object.entries(one).filter(([name]) => !names.includes(name))) as Record];
  });
  const open = [...new Set(rules.map(({ resourceType }) => resourceType))].map((resourceType) => ({ resourceType }));
  return { whole, left, rules, open };
}

function isOfProfiles({ type }: Drawn): boolean {
  return type === 'StructureDefinition';
}
