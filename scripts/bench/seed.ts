import { openProject } from './open-project.ts';
import { request } from './request.ts';
import { type Scenario, UNIQUE } from './scenario.ts';

const MEMBERS = 1000;
const OBSERVATIONS = 2000;
const CODES = 200;
const PATIENTS = 100;
const AT_ONCE = 16;
const JSON_TYPE = { 'content-type': 'application/json' };
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const ECHO = 'export async function handler(medplum, event) { return event.input; }';

/** Fills a fresh server through its own API (a project of 1,000 members, a patient, a bot) and says what is to be measured. */
export async function seed(base: string): Promise<Scenario[]> {
  const { projectId, credentials, signIn } = await openProject(base);
  const admin = `admin/projects/${projectId}`;
  const token = await signIn();
  await inviteMembers(base, admin, token);
  const patient = await request(base, 'POST', 'fhir/R4/Patient', { body: makePatient('Example'), token });
  const patients = await makePatients(base, token);
  await makeObservations(base, token, patients);
  const bot = await request(base, 'POST', `${admin}/bot`, { body: { name: 'Echo' }, token });
  const code = { code: ECHO, filename: 'echo.js' };
  await request(base, 'POST', `fhir/R4/Bot/${bot.id}/$deploy`, { body: code, token });
  const authorization = `Bearer ${token}`;
  const post = { method: 'POST', headers: { authorization, ...JSON_TYPE } } as const;
  const get = { method: 'GET', headers: { authorization }, answer: 'rows' } as const;
  return [
    {
      name: 'Token (client_credentials)',
      method: 'POST',
      path: '/oauth2/token',
      headers: FORM,
      body: credentials,
      answer: 'fixed',
    },
    {
      name: 'Member search (1,000 members, page of 20)',
      path: '/fhir/R4/ProjectMembership?profile-type=Practitioner&_count=20',
      ...get,
    },
    {
      name: '… with _total=accurate',
      path: '/fhir/R4/ProjectMembership?profile-type=Practitioner&_count=20&_total=accurate',
      ...get,
    },
    {
      name: 'Observations, status=final, after 60 searches by code',
      path: '/fhir/R4/Observation?status=final&_count=20',
      ...get,
    },
    {
      name: 'Observations by the identifier of their patient, a chain',
      path: '/fhir/R4/Observation?subject:Patient.identifier=bench-7x&_count=20',
      ...get,
    },
    { name: '… by their name', path: '/fhir/R4/Observation?patient.name=bench-7x&_count=20', ...get },
    {
      name: 'Patients who have an observation of a code, _has',
      path: '/fhir/R4/Patient?_has:Observation:patient:code=c7&_count=20',
      ...get,
    },
    {
      name: 'Observations with their patients, _include',
      path: '/fhir/R4/Observation?code=c7&_include=Observation:subject&_count=20',
      ...get,
    },
    { name: '$everything of a patient', path: `/fhir/R4/Patient/${patients[7]}/$everything`, ...get },
    { name: 'Patient read', path: `/fhir/R4/Patient/${patient.id}`, ...get },
    {
      name: 'Patient create',
      path: '/fhir/R4/Patient',
      body: JSON.stringify(makePatient(UNIQUE)),
      ...post,
      answer: 'fixed',
    },
    {
      name: 'Transaction of 100: patients, and an observation of each',
      path: '/fhir/R4',
      body: JSON.stringify(makeTransaction(50)),
      ...post,
      answer: 'fixed',
    },
    { name: 'Invite', path: `/${admin}/invite`, body: JSON.stringify(makeInvite(UNIQUE)), ...post, answer: 'fixed' },
    { name: 'Bot echo', path: `/fhir/R4/Bot/${bot.id}/$execute`, body: '{"hello":"world"}', ...post, answer: 'echo' },
  ];
}

function inviteMembers(base: string, admin: string, token: string): Promise<void> {
  return times(MEMBERS, (at) => request(base, 'POST', `${admin}/invite`, { body: makeInvite(`seed-${at}`), token }));
}

/** A rare code is searched for as a common status is, by one text: what PostgreSQL learns of the one must not spoil the other. */
async function makeObservations(base: string, token: string, patients: string[]): Promise<void> {
  await times(OBSERVATIONS, (at) => {
    const subject = { reference: `Patient/${patients[at % PATIENTS]}` };
    const code = { coding: [{ code: `c${at % CODES}` }] };
    const body = { resourceType: 'Observation', status: 'final', code, subject };
    return request(base, 'POST', 'fhir/R4/Observation', { body, token });
  });
  await times(60, (at) => request(base, 'GET', `fhir/R4/Observation?code=c${at}`, { token }));
}

async function makePatients(base: string, token: string): Promise<string[]> {
  const ids: string[] = [];
  await times(PATIENTS, async (at) => {
    ids.push((await request(base, 'POST', 'fhir/R4/Patient', { body: makePatient(`bench-${at}x`), token })).id);
  });
  return ids;
}

/** So many, some at once. */
async function times(count: number, ask: (at: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const work = async () => {
    for (let at = next++; at < count; at = next++) await ask(at);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

/** Mail would be made and sent in the background, and be measured with whatever runs then. */
function makeInvite(name: string) {
  const email = `${name}@bench.example`;
  return { resourceType: 'Practitioner', firstName: 'Bench', lastName: name, email, sendEmail: false };
}

function makePatient(name: string) {
  return {
    resourceType: 'Patient',
    active: true,
    identifier: [{ system: 'https://bench.example/mrn', value: name }],
    name: [{ use: 'official', family: name, given: ['Ada', 'Maria'] }],
    telecom: [
      { system: 'email', value: `${name}@bench.example` },
      { system: 'phone', value: '+1 555 0100' },
    ],
    gender: 'female',
    birthDate: '1980-02-29',
    address: [{ line: ['1 Main Street'], city: 'Springfield', postalCode: '12345', country: 'US' }],
  };
}

/** Two entries for each patient. */
function makeTransaction(patients: number) {
  const entry = Array.from({ length: patients }, (_, at) => {
    const fullUrl = `urn:uuid:${UNIQUE}-${at}`;
    const code = { coding: [{ system: 'http://loinc.org', code: '29463-7' }] };
    const observation = { resourceType: 'Observation', status: 'final', code, subject: { reference: fullUrl } };
    return [
      { fullUrl, request: { method: 'POST', url: 'Patient' }, resource: makePatient(`${UNIQUE}-${at}`) },
      {
        request: { method: 'POST', url: 'Observation' },
        resource: { ...observation, effectiveDateTime: '2026-01-31' },
      },
    ];
  });
  return { resourceType: 'Bundle', type: 'transaction', entry: entry.flat() };
}
