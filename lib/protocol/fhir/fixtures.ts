/** Small resources for the tests of this folder. */
import type { Resource } from './types.ts';

export const PROJECT = '5f0e3d1c-4a1b-4f6e-9d53-0d2d2f4f0001';
export const OTHER_PROJECT = '5f0e3d1c-4a1b-4f6e-9d53-0d2d2f4f0002';

/** The server's own FHIR base. */
export const BASE = 'http://localhost:3999/fhir/R4';

export const patient: Resource = {
  resourceType: 'Patient',
  id: 'p1',
  meta: { profile: ['http://example.org/StructureDefinition/our-patient'], tag: [{ system: 'urn:t', code: 'vip' }] },
  identifier: [{ system: 'http://example.org/mrn', value: 'A-17' }, { value: 'no-system' }],
  active: true,
  name: [
    { use: 'official', family: 'Müller', given: ['Änne', 'Käthe'], prefix: ['Dr.'] },
    { use: 'nickname', text: 'Anni' },
  ],
  telecom: [
    { system: 'phone', value: '+49 30 1234' },
    { system: 'email', value: 'Anni@Example.org' },
  ],
  gender: 'female',
  birthDate: '1974-12',
  deceasedBoolean: false,
  address: [{ line: ['Hauptstraße 5'], city: 'Köln', postalCode: '50667', country: 'DE' }],
  maritalStatus: { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v3-MaritalStatus', code: 'M' }] },
  communication: [{ language: { coding: [{ system: 'urn:ietf:bcp:47', code: 'de' }] } }],
  generalPractitioner: [{ reference: 'Practitioner/d1' }],
  managingOrganization: { reference: 'Organization/o1' },
};

export const practitioner: Resource = {
  resourceType: 'Practitioner',
  id: 'd1',
  active: true,
  name: [{ family: 'Okafor', given: ['Chidi'] }],
  telecom: [{ system: 'email', value: 'chidi@example.org' }],
  qualification: [{ code: { text: 'MD' } }],
};

export const observation: Resource = {
  resourceType: 'Observation',
  id: 'o1',
  status: 'final',
  category: [
    { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/observation-category', code: 'vital-signs' }] },
  ],
  code: { coding: [{ system: 'http://loinc.org', code: '29463-7' }], text: 'Weight' },
  subject: { reference: 'Patient/p1' },
  encounter: { reference: 'Encounter/e1/_history/2' },
  performer: [{ reference: 'Practitioner/d1' }, { reference: 'https://other.example/fhir/Organization/9' }],
  effectivePeriod: { start: '2024-02-01T10:00:00Z' },
  valueQuantity: { value: 72.5, unit: 'kg', system: 'http://unitsofmeasure.org', code: 'kg' },
  component: [{ code: { coding: [{ code: 'c1' }] }, valueCodeableConcept: { coding: [{ code: 'x' }] } }],
};

export const condition: Resource = {
  resourceType: 'Condition',
  id: 'c1',
  clinicalStatus: {
    coding: [{ system: 'http://terminology.hl7.org/CodeSystem/condition-clinical', code: 'active' }],
  },
  code: { coding: [{ system: 'http://snomed.info/sct', code: '386661006' }] },
  subject: { reference: 'Patient/p1' },
  onsetDateTime: '2023',
  abatementString: 'soon',
  evidence: [{ code: [{ coding: [{ code: 'e' }] }], detail: [{ reference: 'Observation/o1' }] }],
};

export const activity: Resource = {
  resourceType: 'ActivityDefinition',
  id: 'a1',
  status: 'draft',
  url: 'http://example.org/ActivityDefinition/a1',
  useContext: [
    { code: { code: 'focus' }, valueCodeableConcept: { coding: [{ code: 'flu' }] } },
    { code: { code: 'age' }, valueRange: { low: { value: 18 } } },
  ],
  relatedArtifact: [
    { type: 'depends-on', resource: 'http://example.org/Library/l1|2.0' },
    { type: 'successor', resource: 'http://example.org/Library/l2' },
  ],
  library: ['http://example.org/Library/l3'],
};

export const membership: Resource = {
  resourceType: 'ProjectMembership',
  id: 'm1',
  project: { reference: 'Project/x' },
  user: { reference: 'User/u1' },
  profile: { reference: 'Practitioner/d1', display: 'Chidi Okafor' },
  access: [{ policy: { reference: 'AccessPolicy/ap2' }, parameter: [{ name: 'org', valueString: 'o1' }] }],
  userName: 'chidi',
};
