/** Profiles of our own making, in the manner of national ones: as differentials, and as snapshots. */
const BASE = 'http://hl7.org/fhir/StructureDefinition';
export const OURS = 'http://example.org/fhir/StructureDefinition';
const LOINC = 'http://loinc.org';

type Element = { id?: string; path: string; [name: string]: unknown };

export function makeProfile(name: string, type: string, elements: Element[], more: object = {}) {
  const element = elements.map((each, index) => ({ id: each.id ?? `${each.path}${index}`, ...each }));
  return {
    resourceType: 'StructureDefinition',
    url: `${OURS}/${name}`,
    name,
    status: 'active',
    kind: type === 'Extension' ? 'complex-type' : 'resource',
    abstract: false,
    type,
    baseDefinition: `${BASE}/${type}`,
    derivation: 'constraint',
    ...(type === 'Extension' && { context: [{ type: 'element', expression: 'Patient' }] }),
    differential: { element },
    ...more,
  };
}

const part = (name: string, min: number, max: string, value: object): Element[] => [
  { path: 'Extension.extension', sliceName: name, min, max },
  { path: 'Extension.extension.url', fixedUri: name },
  { path: 'Extension.extension.value[x]', min: 1, ...value },
];

/** A complex extension: categories (of a value set), and a text that must be there. */
const raceExtension = makeProfile('race', 'Extension', [
  { path: 'Extension.extension', slicing: { discriminator: [{ type: 'value', path: 'url' }], rules: 'closed' } },
  ...part('category', 0, '5', {
    type: [{ code: 'Coding' }],
    binding: { strength: 'required', valueSet: 'http://example.org/fhir/ValueSet/race' },
  }),
  ...part('text', 1, '1', { type: [{ code: 'string' }] }),
  { path: 'Extension.url', fixedUri: `${OURS}/race` },
  { path: 'Extension.value[x]', max: '0' },
]);

const raceValues = {
  resourceType: 'ValueSet',
  url: 'http://example.org/fhir/ValueSet/race',
  status: 'active',
  compose: {
    include: [{ system: 'urn:oid:2.16.840.1.113883.6.238', concept: [{ code: '2106-3' }, { code: '2054-5' }] }],
  },
};

const patientProfile = makeProfile('patient', 'Patient', [
  {
    path: 'Patient',
    constraint: [
      {
        key: 'our-1',
        severity: 'error',
        human: 'A name has a family or a given name',
        expression: 'name.all(family.exists() or given.exists())',
      },
    ],
  },
  {
    path: 'Patient.extension',
    sliceName: 'race',
    min: 0,
    max: '1',
    type: [{ code: 'Extension', profile: [`${OURS}/race`] }],
  },
  { path: 'Patient.identifier', min: 1, mustSupport: true },
  { path: 'Patient.identifier.system', min: 1 },
  { path: 'Patient.name', min: 1 },
  { path: 'Patient.gender', min: 1 },
  { path: 'Patient.photo', max: '0' },
  { path: 'Patient.generalPractitioner', type: [{ code: 'Reference', targetProfile: [`${BASE}/Practitioner`] }] },
]);

const component = (name: string, code: string): Element[] => [
  { path: 'Observation.component', sliceName: name, min: 1, max: '1' },
  { path: 'Observation.component.code', patternCodeableConcept: { coding: [{ system: LOINC, code }] } },
  { path: 'Observation.component.value[x]', type: [{ code: 'Quantity' }] },
  { path: 'Observation.component.value[x].code', min: 1, fixedCode: 'mm[Hg]' },
];

/** Category by value, as its base for all vital signs. */
const vitalSigns = makeProfile('vital-signs', 'Observation', [
  {
    path: 'Observation.category',
    min: 1,
    slicing: {
      discriminator: [
        { type: 'value', path: 'coding.code' },
        { type: 'value', path: 'coding.system' },
      ],
      rules: 'open',
    },
  },
  { path: 'Observation.category', sliceName: 'vs', min: 1, max: '1' },
  { path: 'Observation.category.coding', min: 1 },
  {
    path: 'Observation.category.coding.system',
    min: 1,
    fixedUri: 'http://terminology.hl7.org/CodeSystem/observation-category',
  },
  { path: 'Observation.category.coding.code', min: 1, fixedCode: 'vital-signs' },
  { path: 'Observation.subject', min: 1, type: [{ code: 'Reference', targetProfile: [`${OURS}/patient`] }] },
  { path: 'Observation.effective[x]', min: 1, type: [{ code: 'dateTime' }, { code: 'Period' }] },
]);

export const bloodPressure = makeProfile(
  'blood-pressure',
  'Observation',
  [
    { path: 'Observation.code', patternCodeableConcept: { coding: [{ system: LOINC, code: '85354-9' }] } },
    { path: 'Observation.value[x]', max: '0' },
    {
      path: 'Observation.component',
      min: 2,
      slicing: { discriminator: [{ type: 'pattern', path: 'code' }], rules: 'open' },
    },
    ...component('systolic', '8480-6'),
    ...component('diastolic', '8462-4'),
  ],
  { baseDefinition: `${OURS}/vital-signs` },
);

export const DEFINITIONS = [raceExtension, raceValues, patientProfile, vitalSigns, bloodPressure];

export function makePatient(more: object = {}) {
  return {
    resourceType: 'Patient',
    meta: { profile: [`${OURS}/patient`] },
    identifier: [{ system: 'urn:x', value: '1' }],
    name: [{ family: 'Stone' }],
    gender: 'female',
    ...more,
  };
}

const measured = (code: string, value: number) => ({
  code: {
    coding: [
      { system: LOINC, code },
      { system: 'urn:own', code: 'x' },
    ],
  },
  valueQuantity: { value, unit: 'mmHg', system: 'http://unitsofmeasure.org', code: 'mm[Hg]' },
});

export function makePressure(more: object = {}) {
  return {
    resourceType: 'Observation',
    meta: { profile: [`${OURS}/blood-pressure`] },
    status: 'final',
    category: [
      { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/observation-category', code: 'vital-signs' }] },
    ],
    code: { coding: [{ system: LOINC, code: '85354-9' }] },
    subject: { reference: 'Patient/1' },
    effectiveDateTime: '2024-01-01',
    component: [measured('8480-6', 120), measured('8462-4', 80)],
    ...more,
  };
}

export { measured as makeComponent };
