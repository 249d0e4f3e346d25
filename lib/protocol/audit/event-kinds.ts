import type { Coding } from 'fhir/r4';

const DCM = 'http://dicom.nema.org/resources/ontology/DCM';
const EVENT_TYPE = 'http://terminology.hl7.org/CodeSystem/audit-event-type';
const RESTFUL = 'http://hl7.org/fhir/restful-interaction';

/** What an event is, as DICOM PS3.16 CID 400 to 403 and HL7 name it. */
export const KINDS = {
  login: [coding(DCM, '110114', 'User Authentication'), coding(DCM, '110122', 'Login')],
  logout: [coding(DCM, '110114', 'User Authentication'), coding(DCM, '110123', 'Logout')],
  session: [coding(DCM, '110114', 'User Authentication')],
  roles: [coding(DCM, '110113', 'Security Alert'), coding(DCM, '110136', 'Security Roles Changed')],
  person: [coding(DCM, '110113', 'Security Alert'), coding(DCM, '110137', 'User Security Attributes Changed')],
  security: [coding(DCM, '110113', 'Security Alert'), coding(DCM, '110129', 'Security Configuration')],
  software: [coding(DCM, '110100', 'Application Activity'), coding(DCM, '110131', 'Software Configuration')],
  activity: [coding(DCM, '110100', 'Application Activity')],
  log: [coding(DCM, '110101', 'Audit Log Used')],
  export: [coding(DCM, '110101', 'Audit Log Used'), coding(DCM, '110106', 'Export')],
  disclosure: [coding(DCM, '110106', 'Export')],
  execute: [coding('https://medplum.com/CodeSystem/audit-event', 'execute', 'Execute')],
  read: rest('read'),
  search: rest('search-type'),
  create: rest('create'),
  update: rest('update'),
  delete: rest('delete'),
} as const satisfies Record<string, readonly Coding[]>;

function coding(system: string, code: string, display: string): Coding {
  return { system, code, display };
}

function rest(interaction: string): readonly Coding[] {
  return [coding(EVENT_TYPE, 'rest', 'RESTful Operation'), { system: RESTFUL, code: interaction }];
}
