import { type Loaded, RARE_NAME } from './load-project.ts';

export type GrowRequest = { name: string; path: string };

const UCUM = 'http://unitsofmeasure.org';

/** Of a project that looks for words, as well. */
export function wordRequests(): GrowRequest[] {
  const patients = (name: string, words: string) => ({
    name,
    path: `/fhir/R4/Patient?_content=${encodeURIComponent(words)}&_count=20`,
  });
  return [
    patients('Patients by a rare word', RARE_NAME),
    patients('… by a frequent word', 'female'),
    patients('… by a rare word or two frequent ones', `female smith7 or ${RARE_NAME}`),
    patients('… by a phrase', `"Given0 ${RARE_NAME}" or "Given0 nobody"`),
    patients('… by a phrase that nobody has', '"female smith"'),
    { name: 'Observations by a word of all', path: '/fhir/R4/Observation?_content=mmol&_count=20' },
    { name: '… by a word of some, and how many', path: '/fhir/R4/Patient?_content=given7&_summary=count' },
    { name: '… by a word of their patient', path: `/fhir/R4/Observation?patient._content=${RARE_NAME}&_count=20` },
  ];
}

/** What people and programs ask all day long, of a project as `loadProject` fills it: the answer is as large, however large the project is. */
export function growRequests(projectId: string, { patientId, actor }: Loaded): GrowRequest[] {
  const fhir = (name: string, search: string) => ({ name, path: `/fhir/R4/${search}` });
  const admin = (name: string, rest: string) => ({ name, path: `/admin/projects/${projectId}/${rest}` });
  const month = monthAgo(20);
  const tenDaysAgo = new Date(Date.now() - 10 * 86_400_000).toISOString();
  const members = 'ProjectMembership?profile-type=Practitioner&_count=20';
  return [
    fhir('Read a patient', `Patient/${patientId}`),
    fhir('Patient by identifier', 'Patient?identifier=urn:mrn|7'),
    fhir('Patients, newest', 'Patient?_count=20'),
    fhir('Patients by a frequent name', 'Patient?name=smi&_count=20'),
    fhir('Patients by a rare name', `Patient?name=${RARE_NAME}&_count=20`),
    fhir('Patients by birth date', 'Patient?_sort=birthdate&_count=20'),
    fhir('Observations of a patient', `Observation?subject=Patient/${patientId}`),
    fhir('… from a day on, by date', `Observation?subject=Patient/${patientId}&date=ge2010&_sort=-date`),
    fhir('… how many there are', `Observation?subject=Patient/${patientId}&_summary=count`),
    fhir('Observations by date', 'Observation?_sort=-date&_count=20'),
    fhir('… of one month', `Observation?date=ge${month.from}&date=lt${month.to}&_sort=-date&_count=20`),
    fhir('… of one month, oldest first', `Observation?date=ge${month.from}&date=lt${month.to}&_sort=date&_count=20`),
    fhir('… of one code', 'Observation?code=http://loinc.org|c7&_count=20'),
    fhir('… of one code, by date', 'Observation?code=http://loinc.org|c7&_sort=-date&_count=20'),
    fhir('… of a common status', 'Observation?status=final&_count=20'),
    fhir('… of a frequent value', 'Observation?value-quantity=gt100&_count=20'),
    fhir('… of a rare value', `Observation?value-quantity=gt38000000|${UCUM}|umol/L&_count=20`),
    fhir('… of a rare value of one code', 'Observation?code-value-quantity=c0$gt38000&_count=20'),
    fhir('… of a patient, by code', `Observation?subject=Patient/${patientId}&_sort=code`),
    fhir('History of observations', 'Observation/_history'),
    fhir('History of all', '_history'),
    fhir('Observations as they were', `Observation/_history?_at=${tenDaysAgo}`),
    fhir('Observations by their patient’s identifier', 'Observation?subject:Patient.identifier=urn:mrn|7&_count=20'),
    fhir('… by their patient’s rare name', `Observation?patient.name=${RARE_NAME}&_count=20`),
    fhir('… by a frequent one', 'Observation?patient.name=smi&_count=20'),
    fhir('… by a common gender, by date', 'Observation?patient.gender=female&_sort=-date&_count=20'),
    fhir(
      'Patients who have an observation of one code',
      'Patient?_has:Observation:patient:code=http://loinc.org|c7&_count=20',
    ),
    fhir('… who have one of a common status', 'Patient?_has:Observation:patient:status=final&_count=20'),
    fhir('… who have one of a day', `Patient?_has:Observation:patient:date=${month.from}&_count=20`),
    fhir('Observations in a compartment', `Patient/${patientId}/Observation?_count=20`),
    fhir('All in a compartment', `Patient/${patientId}/*`),
    fhir('$everything', `Patient/${patientId}/$everything`),
    fhir('Two types', '?_type=Patient,Observation&_count=20'),
    fhir('Observations with all that they refer to', 'Observation?_include=*&_count=20'),
    fhir('Patients with all that refers to them', 'Patient?_revinclude=*&_count=20'),
    fhir('Members', members),
    fhir('… with their number', `${members}&_total=accurate`),
    fhir('… as the console shows them', `${members}&_sort=name&_include=ProjectMembership:user&_total=accurate`),
    fhir('… by name, last first', `${members}&_sort=-name`),
    admin('Overview', 'overview'),
    admin('Invitations', 'invites?_count=20'),
    admin('… that are open', 'invites?status=pending&_count=20'),
    admin('Audit', 'audit?_count=50'),
    admin('… of one actor', `audit?actor=${actor}&_count=50`),
    admin('… of one action', 'audit?action=membership.update&_count=50'),
    admin('… of a kind of action', 'audit?action=membership.*&_count=50'),
    admin('… of one record', `audit?target=Patient/${patientId}&_count=50`),
    admin('Bots', 'bots'),
  ];
}

/** A whole month, so many months ago. */
function monthAgo(count: number): { from: string; to: string } {
  const now = new Date();
  const first = (months: number) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months, 1));
  const day = (date: Date) => date.toISOString().slice(0, 10);
  return { from: day(first(count)), to: day(first(count - 1)) };
}
