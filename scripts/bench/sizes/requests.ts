import { ONCE, type Scenario, UNIQUE } from '../scenario.ts';
import { OF_FEW, SYSTEM } from './load-clinic.ts';

/** `least`: so many a second of `counts` are promised at every size. `grows`: so does what it must look at, and how many times as long it takes is told, not judged. */
export type SizedRequest = Scenario & { least?: number; counts?: number; grows?: true };

const LOINC = 'http://loinc.org';
const JSON_TYPE = { 'content-type': 'application/json' };
const ENTRIES = 100;
const PAGE = 2500;
const CHAIN = 1000;

/** What the project of `openClinics` is asked, whose answers are as large at every size. `patients`: some of its own, who are all asked of in turn. */
export function sizedRequests(token: string, writer: string, patients: string[]): SizedRequest[] {
  const get = (name: string, path: string, least?: number, more: Partial<SizedRequest> = {}): SizedRequest => {
    const headers = { authorization: `Bearer ${token}` };
    return { name, path: `/fhir/R4/${path}`, method: 'GET', headers, answer: 'rows', least, ...more };
  };
  const post = (name: string, path: string, body: object, least?: number, counts = 1): SizedRequest => {
    const headers = { authorization: `Bearer ${writer}`, ...JSON_TYPE };
    return { name, path, method: 'POST', headers, body: JSON.stringify(body), answer: 'fixed', least, counts };
  };
  const each = { inTurn: patients };
  const numbers = { inTurn: patients.map((_, at) => String(2 * at)) };
  return [
    get('Read', `Patient/${ONCE}`, 10_000, each),
    get('Identifier', `Patient?identifier=${SYSTEM}|${ONCE}`, PAGE, numbers),
    get('Name, the beginning of a tenth of them', 'Patient?name=nova&_count=20', PAGE),
    get('Reference, by date', `Observation?patient=${ONCE}&_sort=-date&_count=20`, PAGE, each),
    get('Code, of 25 at every size', `Observation?code=${LOINC}|${OF_FEW}&_count=20`, PAGE),
    get('Code whose matches grow', `Observation?code=${LOINC}|c150&_count=20`, PAGE, { grows: true }),
    get('Code, the most frequent', `Observation?code=${LOINC}|c0&_count=20`, PAGE),
    get('Code, the most frequent, by date', `Observation?code=${LOINC}|c0&_sort=-date&_count=20`, PAGE),
    get('Status', 'Observation?status=final&_count=20', PAGE),
    get('Chain by identifier', `Observation?patient.identifier=${SYSTEM}|${ONCE}&_count=20`, CHAIN, numbers),
    get('Chain by name', `Observation?patient.name=nr${ONCE}x&_count=20`, CHAIN, numbers),
    get(
      '_has of a code, 25 at every size',
      `Patient?_has:Observation:patient:code=${LOINC}|${OF_FEW}&_count=20`,
      CHAIN,
    ),
    get('_has of a code whose matches grow', `Patient?_has:Observation:patient:code=${LOINC}|c50&_count=20`, CHAIN, {
      grows: true,
    }),
    get('_include', `Observation?patient=${ONCE}&_include=Observation:performer&_count=20`, PAGE, each),
    get('Number of a patient’s', `Observation?patient=${ONCE}&_summary=count`, PAGE, each),
    get('Number of a code’s', `Observation?code=${LOINC}|c0&_summary=count`, undefined, { grows: true }),
    get('$everything', `Patient/${ONCE}/$everything`, undefined, each),
    post('Create', '/fhir/R4/Observation', makeObservation('Patient/written')),
    post(`Transaction of ${ENTRIES}`, '/fhir/R4', makeTransaction(), 6000, ENTRIES),
  ];
}

function makeObservation(reference: string) {
  return {
    resourceType: 'Observation',
    status: 'final',
    code: { coding: [{ system: LOINC, code: 'c40' }] },
    subject: { reference },
    effectiveDateTime: '2026-01-31',
    valueQuantity: { value: 7.2, unit: 'mg/dl', system: 'http://unitsofmeasure.org', code: 'mg/dL' },
  };
}

/** Two entries for each patient. */
function makeTransaction() {
  const entry = Array.from({ length: ENTRIES / 2 }, (_, at) => {
    const fullUrl = `urn:uuid:${UNIQUE}-${at}`;
    const identifier = [{ system: 'urn:bench', value: `${UNIQUE}-${at}` }];
    const patient = {
      resourceType: 'Patient',
      identifier,
      name: [{ family: `Sent${UNIQUE}` }],
      birthDate: '1980-02-29',
    };
    return [
      { fullUrl, request: { method: 'POST', url: 'Patient' }, resource: patient },
      { request: { method: 'POST', url: 'Observation' }, resource: makeObservation(fullUrl) },
    ];
  });
  return { resourceType: 'Bundle', type: 'transaction', entry: entry.flat() };
}
