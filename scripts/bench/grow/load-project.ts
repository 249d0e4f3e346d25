import { randomUUID } from 'node:crypto';
import { SERVER_SCOPE } from '#lib/base/ids.ts';
import { addHours } from '#lib/domain/runs/hours.ts';
import { repairStanding } from '#lib/domain/standing/repair-standing.ts';
import { db, runText } from '#lib/infra/db/client.ts';
import type { Resource } from '#lib/protocol/fhir/types.ts';
import { seeded } from '../../scale/seeded.ts';
import { addResource, DAY, pick } from './add-resource.ts';
import { openCopy } from './copy.ts';

type Copy = ReturnType<typeof openCopy>;
type World = { copy: Copy; projectId: string; size: number; random: () => number };

export type Loaded = { patientId: string; actor: string };

const YEARS = 5 * 365 * DAY;
const FAMILIES = ['Smith', 'Smithers', 'Okafor', 'Reyes', 'Novak', 'Tanaka', 'Larsen', 'Haddad', 'Moreau', 'Quispe'];
/** One patient has it, however many there are. */
export const RARE_NAME = 'Zabriskie';
const BOTS = 20;

/**
 * Fills a project with about `size` resources, as a hospital would: a twentieth of them members with their accounts and profiles, a tenth
 * patients, the rest observations of five years; so many audit rows, too, and half as many of another project. All of it goes through
 * the extractor, as if it had been sent.
 */
export async function loadProject(url: string, projectId: string, size: number): Promise<Loaded> {
  const world = { copy: openCopy(url), projectId, size, random: seeded(size) };
  const people = Math.floor(size / 20);
  let actor = '';
  for (let n = 0; n < people; n++) actor = await addMember(world, n);
  const patients: string[] = [];
  for (let n = 0; n < size / 10; n++) patients.push(await addPatient(world, n));
  for (let n = 3 * people + patients.length; n < size; n++) await addObservation(world, n, pick(world, patients));
  for (let n = 0; n < BOTS; n++) await addBot(world, n);
  await addAudit(world, projectId, size, actor);
  await addAudit(world, randomUUID(), size / 2, actor);
  await world.copy.end(async () => {
    await runText(db(), addHours('(select * from bot_run where project_id = $1) as run'), [projectId]);
    await repairStanding(projectId);
  });
  return { patientId: patients[0]!, actor };
}

/** Of ten, eight have accepted, one has not yet, and one's mail came back. */
async function addMember(world: World, n: number): Promise<string> {
  const { copy, projectId } = world;
  const [firstName, lastName] = [`Person${n}`, pick(world, FAMILIES)];
  const email = `${firstName}.${lastName}.${projectId.slice(0, 8)}@example.com`.toLowerCase();
  const display = `${firstName} ${lastName}`;
  const user = await addResource(world, SERVER_SCOPE, { resourceType: 'User', firstName, lastName, email });
  const name = [{ given: [firstName], family: lastName }];
  const profile = await addResource(world, projectId, { resourceType: 'Practitioner', name });
  const [userRef, profileRef, id] = [`User/${user}`, `Practitioner/${profile}`, randomUUID()];
  const membership = {
    resourceType: 'ProjectMembership',
    project: { reference: `Project/${projectId}` },
    user: { reference: userRef, display: email },
    profile: { reference: profileRef, display },
    userName: email,
  };
  await addResource(world, projectId, membership, id);
  await copy.add('membership_key (project_id, membership_id, user_ref, profile_ref)', [
    projectId,
    id,
    userRef,
    profileRef,
  ]);
  await copy.add('user_login (scope, email_lower, user_id)', [SERVER_SCOPE, email, user]);
  const isIn = n % 10 < 8;
  const sent = new Date(Date.now() - world.random() * 5 * DAY);
  await copy.add(
    'one_time_link (id, kind, user_id, project_id, membership_id, secret_hash, created_at, expires_at, used_at)',
    [
      randomUUID(),
      'invite',
      user,
      projectId,
      id,
      'x',
      sent.toISOString(),
      new Date(sent.getTime() + 7 * DAY).toISOString(),
      isIn ? new Date().toISOString() : null,
    ],
  );
  await copy.add('mail (project_id, id, template, recipient, membership_id, state, created_at, sent_at)', [
    projectId,
    randomUUID(),
    'invite',
    email,
    id,
    n % 10 === 9 ? 'bounced' : 'delivered',
    sent.toISOString(),
    sent.toISOString(),
  ]);
  if (isIn) await copy.add('credential (user_id, password_hash)', [user, 'x']);
  return profileRef;
}

function addPatient(world: World, n: number): Promise<string> {
  const family = n === 0 ? RARE_NAME : `${pick(world, FAMILIES)}${n % 5000}`;
  const born = new Date(Date.now() - world.random() * 90 * 365 * DAY).toISOString().slice(0, 10);
  return addResource(world, world.projectId, {
    resourceType: 'Patient',
    identifier: [{ system: 'urn:mrn', value: String(n) }],
    name: [{ given: [`Given${n % 1000}`], family }],
    gender: pick(world, ['male', 'female']),
    birthDate: born,
  } as Resource);
}

/** Of the same numbers in projects of every size, some are above a thousand. */
const MOLES = { system: 'http://unitsofmeasure.org', code: 'mmol/L' };

function addObservation(world: World, n: number, patient: string): Promise<string> {
  return addResource(world, world.projectId, {
    resourceType: 'Observation',
    status: n % 50 === 0 ? 'amended' : 'final',
    code: { coding: [{ system: 'http://loinc.org', code: `c${n % 60}` }] },
    subject: { reference: `Patient/${patient}` },
    effectiveDateTime: new Date(Date.now() - world.random() * YEARS).toISOString(),
    valueQuantity: { value: n % 300 === 0 && n < 40_000 ? n : n % 300, unit: 'mmol/l', ...MOLES },
  } as Resource);
}

/** In each of the last twenty-four hours twice at least, so that a list shows as much at every size; else a hundredth of it, of all bots. */
async function addBot(world: World, n: number): Promise<void> {
  const { copy, projectId, size, random } = world;
  const bot = await addResource(world, projectId, { resourceType: 'Bot', name: `Bot ${n}` } as Resource);
  const columns = 'bot_run (project_id, id, bot_id, version, trigger, status, started_at, duration_ms, request_id)';
  const runs = Math.max(48, size / 100 / BOTS);
  for (let run = 0; run < runs; run++) {
    const at = new Date(Date.now() - ((run + random()) / runs) * DAY).toISOString();
    const status = run % 20 === 0 ? 'error' : 'ok';
    await copy.add(columns, [projectId, randomUUID(), bot, 1, 'api', status, at, 10 + (run % 90), 'x']);
  }
}

/** Forty-nine of fifty are records that programs wrote; what the others tell one person did, more than a page of them at every size. */
async function addAudit({ copy, random }: World, projectId: string, size: number, actor: string): Promise<void> {
  const programs = Array.from({ length: 5 }, () => `ClientApplication/${randomUUID()}`);
  for (let n = 0; n < size; n++) {
    const isTheirs = n % 50 === 0;
    const [action, target] = isTheirs
      ? [n % 100 === 0 ? 'membership.update' : 'membership.create', 'ProjectMembership']
      : ['resource.create', 'Observation'];
    const at = new Date(Date.now() - random() * 30 * DAY).toISOString();
    const who = isTheirs ? actor : programs[n % programs.length]!;
    await copy.add('audit_event (project_id, id, at, action, target, actor, request_id)', [
      projectId,
      randomUUID(),
      at,
      action!,
      `${target}/${randomUUID()}`,
      who,
      `r${n}`,
    ]);
  }
}
