import { randomUUID } from 'node:crypto';
import type { Resource } from '#lib/protocol/fhir/types.ts';
import { seeded } from '../../scale/seeded.ts';
import { addResource, DAY, type Filling, pick } from '../grow/add-resource.ts';
import { openCopy } from '../grow/copy.ts';

/** A patient with what happened to them: so many resources, at every size of the project. */
const OF_A_PATIENT = 25;
export const SYSTEM = 'http://hospital.example/mrn';
const [ENCOUNTERS, CONDITIONS] = [3, 3];
const YEARS = 5 * 365 * DAY;
const FAMILIES = ['Smith', 'Okafor', 'Reyes', 'Novak', 'Tanaka', 'Larsen', 'Haddad', 'Moreau', 'Quispe', 'Achterberg'];
const CODES = 200;
const STAFF = 20;
const PROJECTS = 50;
/** Of this code the project that is asked has as many at every size: one of each sixteenth of its first patients. */
export const OF_FEW = 'of-few';
const [WITH_FEW, EVERY] = [400, 16];
const UCUM = { system: 'http://unitsofmeasure.org', code: 'mg/dL' };

type Clinic = Filling & { projectId: string; staff: string[]; program: string };

/** Lets a database grow: half of it is one project's, the rest are fifty others'. */
export function openClinics(url: string, projectId: string) {
  const seed = seeded(1);
  const open = (id: string) => ({ projectId: id, staff: [], program: `ClientApplication/${randomUUID()}` });
  const clinics = [open(projectId), ...Array.from({ length: PROJECTS }, () => open(randomUUID()))];
  let patients = 0;
  /** Of the largest project, for requests to name. */
  const known: string[] = [];
  return {
    known,
    /** Until there are so many resources. */
    async growTo(size: number): Promise<void> {
      const filling: Filling = { copy: openCopy(url), random: seed };
      for (const clinic of clinics) if (patients === 0) await addStaff({ ...clinic, ...filling });
      for (; patients * OF_A_PATIENT < size; patients++) {
        const clinic = patients % 2 === 0 ? clinics[0]! : clinics[1 + ((patients >> 1) % PROJECTS)]!;
        const id = await addPatient({ ...clinic, ...filling }, patients);
        if (clinic === clinics[0] && known.length < 200) known.push(id);
      }
      await filling.copy.end(async () => undefined);
    },
  };
}

async function addStaff(clinic: Clinic): Promise<void> {
  for (let n = 0; n < STAFF; n++) {
    clinic.staff.push(await add(clinic, { resourceType: 'Practitioner', name: [{ family: `Doctor${n}` }] }));
  }
}

/** Numbered alike in every project, so that a name or number is told apart by its project alone. */
async function addPatient(clinic: Clinic, n: number): Promise<string> {
  const { random } = clinic;
  const at = () => new Date(Date.now() - random() * YEARS).toISOString();
  const born = new Date(Date.now() - random() * 90 * 365 * DAY).toISOString().slice(0, 10);
  const patient = await add(clinic, {
    resourceType: 'Patient',
    active: true,
    identifier: [{ system: SYSTEM, value: String(n) }],
    name: [{ family: `${pick(clinic, FAMILIES)}${n}`, given: ['Ada', `Nr${n}x`] }],
    gender: pick(clinic, ['male', 'female']),
    birthDate: born,
    address: [{ city: `Town${n % 300}`, postalCode: String(10_000 + (n % 900)) }],
  });
  const subject = { reference: `Patient/${patient}` };
  const encounters: string[] = [];
  for (let of = 0; of < ENCOUNTERS; of++) {
    const when = at();
    const encounter = { status: 'finished', class: { code: pick(clinic, ['AMB', 'AMB', 'AMB', 'IMP']) }, subject };
    encounters.push(await add(clinic, { resourceType: 'Encounter', ...encounter, period: { start: when, end: when } }));
  }
  for (let of = 0; of < CONDITIONS; of++) {
    const code = { coding: [{ system: 'http://snomed.info/sct', code: `${skewed(clinic)}` }] };
    await add(clinic, { resourceType: 'Condition', code, subject, onsetDateTime: at() });
  }
  const first = 1 + ENCOUNTERS + CONDITIONS;
  for (let of = first; of < OF_A_PATIENT; of++) {
    const code = of === first && n < WITH_FEW && n % EVERY === 0 ? OF_FEW : `c${skewed(clinic)}`;
    await add(clinic, {
      resourceType: 'Observation',
      status: random() < 0.02 ? 'amended' : 'final',
      category: [{ coding: [{ code: 'laboratory' }] }],
      code: { coding: [{ system: 'http://loinc.org', code }] },
      subject,
      encounter: { reference: `Encounter/${pick(clinic, encounters)}` },
      performer: [{ reference: `Practitioner/${pick(clinic, clinic.staff)}` }],
      effectiveDateTime: at(),
      valueQuantity: { value: Math.round(random() * 3000) / 10, unit: 'mg/dl', ...UCUM },
    });
  }
  return patient;
}

/** With its audit row. */
async function add(clinic: Clinic, resource: { resourceType: string } & Record<string, unknown>): Promise<string> {
  const { copy, projectId, program, random } = clinic;
  const id = await addResource(clinic, projectId, resource as Resource);
  const when = new Date(Date.now() - random() * 30 * DAY).toISOString();
  const target = `${resource.resourceType}/${id}`;
  await copy.add('audit_event (project_id, id, at, action, target, actor, request_id)', [
    projectId,
    randomUUID(),
    when,
    'resource.create',
    target,
    program,
    'bench',
  ]);
  return id;
}

/** The first of the codes stand for most of what is measured, the last for next to nothing (Zipf, about). */
function skewed({ random }: Filling): number {
  return Math.floor(CODES ** random()) - 1;
}
