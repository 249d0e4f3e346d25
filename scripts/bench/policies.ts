import type { ChildProcess } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { cpus } from 'node:os';
import { makeFastLane } from '#lib/http/server/fast-lane.ts';
import { openKeyring } from '#lib/http/server/open-keyring.ts';
import { startInvalidation } from '#lib/infra/db/invalidation.ts';
import { MAX_ACCESS } from '#lib/protocol/fhir/identity/bounds.ts';
import { progress, refuse } from '../progress.mjs';
import { ask, start } from './child.ts';
import { memberWith } from './member-with.ts';
import { openProject } from './open-project.ts';
import { request } from './request.ts';
import { type Job, type Measured, type Scenario, UNIQUE } from './scenario.ts';
import { analyze } from './server.ts';
import { ms, toMarkdown } from './table.ts';

const CONNECTIONS = 4;
const TURNS = 6;
const SECONDS = 1;
const PATIENTS = 600;
/** As many as a membership may have. */
const ROWS = MAX_ACCESS;

/** `most`: how many times the CPU of a member without policy a request may take. */
type Member = { name: string; token: string; most: number };
type Of = Omit<Scenario, 'headers'>;

/**
 * `npm run bench -- --policies`: what a policy costs: CPU of the server process for each request of members with one, beside a member without, turn by
 * turn in one process, so that a slower minute of the machine is the same for all. What PostgreSQL does is in the time of a request.
 */
export async function benchPolicies(url: string): Promise<void> {
  const base = await progress('Server in this process', serveHere);
  const { projectId, signIn } = await openProject(base);
  const token = await signIn();
  const patients = await progress(`${PATIENTS} patients`, () => makePatients(base, token));
  const members = await progress('Members', () => makeMembers(base, projectId, token, patients));
  await analyze(url);
  const load = await start('bench/load.ts');
  const rows: string[][] = [];
  for (const scenario of scenariosOf(patients[0]!)) {
    rows.push(...(await progress(scenario.name, () => compare(load, base, scenario, members))));
  }
  console.log(`\n${cpus().length} cores shared with PostgreSQL and the load generator, ${CONNECTIONS} connections.\n`);
  console.log(toMarkdown(['', 'Of a member with', 'CPU ms', 'Times', 'p50 ms', 'Target', ''], rows));
}

async function serveHere(): Promise<string> {
  await startInvalidation();
  await openKeyring();
  const { PORT, BASE_URL = '' } = process.env;
  const lane = await makeFastLane(`${import.meta.dirname}/../../app`, (_, outgoing) => outgoing.writeHead(404).end());
  const server = createServer(lane);
  await new Promise<void>((listening) => server.listen(Number(PORT), listening));
  return `${BASE_URL.slice(0, BASE_URL.lastIndexOf(':'))}:${(server.address() as AddressInfo).port}`;
}

async function makePatients(base: string, token: string): Promise<string[]> {
  const ids: string[] = [];
  for (let at = 0; at < PATIENTS; at++) {
    const body = { resourceType: 'Patient', name: [{ family: `bench-${at}x` }], gender: at % 2 ? 'female' : 'male' };
    ids.push((await request(base, 'POST', 'fhir/R4/Patient', { body, token })).id);
  }
  return ids;
}

async function makeMembers(base: string, projectId: string, token: string, patients: string[]): Promise<Member[]> {
  const policyOf = async (resource: object[]) => {
    const body = { resourceType: 'AccessPolicy', name: 'Bench', resource };
    return `AccessPolicy/${(await request(base, 'POST', 'fhir/R4/AccessPolicy', { body, token })).id}`;
  };
  const ten = [
    'Encounter',
    'Condition',
    'Procedure',
    'Task',
    'Communication',
    'CarePlan',
    'Observation',
    'Flag',
    'Goal',
  ];
  const parameterised = await policyOf([
    { resourceType: 'Patient', criteria: 'Patient?gender=%gender' },
    ...ten.map((resourceType) => ({ resourceType, criteria: `${resourceType}?subject=%of` })),
  ]);
  const ofOne = await policyOf([
    { resourceType: 'Patient', criteria: 'Patient?_id=%of.id' },
    { resourceType: 'Patient', interaction: ['create'] },
  ]);
  const of = (id: string) => ({ name: 'of', valueReference: { reference: `Patient/${id}` } });
  const gender = { name: 'gender', valueString: 'male' };
  const many = patients.slice(0, ROWS).map((id) => ({ policy: { reference: ofOne }, parameter: [of(id)] }));
  const access = [{ policy: { reference: parameterised }, parameter: [gender, of(patients[0]!)] }];
  const tokenWith = async (given: object[]) => (await memberWith(base, projectId, token, given)).signIn();
  return [
    { name: 'no policy', most: 1, token: await tokenWith([]) },
    {
      name: 'a policy of 10 rules with parameters',
      most: 1.2,
      token: await tokenWith(access),
    },
    { name: `${ROWS} rows of access`, most: 1.5, token: await tokenWith(many) },
  ];
}

function scenariosOf(patient: string): Of[] {
  const body = JSON.stringify({ resourceType: 'Patient', name: [{ family: UNIQUE }], gender: 'male' });
  return [
    { name: 'Read', method: 'GET', path: `/fhir/R4/Patient/${patient}`, answer: 'rows' },
    { name: 'Search', method: 'GET', path: '/fhir/R4/Patient?gender=male&_count=20', answer: 'rows' },
    { name: 'Create', method: 'POST', path: '/fhir/R4/Patient', body, answer: 'fixed' },
  ];
}

/** Of each member the median of some turns. */
async function compare(load: ChildProcess, base: string, of: Of, members: Member[]): Promise<string[][]> {
  const taken = members.map((): { cpu: number; p50: number }[] => []);
  for (let turn = 0; turn <= TURNS; turn++) {
    for (const [at, { token, name }] of members.entries()) {
      const headers = { authorization: `Bearer ${token}`, ...(of.body && { 'content-type': 'application/json' }) };
      const job = { url: base, scenario: { ...of, headers }, connections: CONNECTIONS, seconds: SECONDS };
      const before = process.cpuUsage();
      const { perSecond, p50, failed } = await ask<Job, Measured>(load, job);
      if (failed > 0) refuse(`${of.name} of a member with ${name}: ${failed} requests failed`);
      const { user, system } = process.cpuUsage(before);
      // The first turn warms up.
      if (turn > 0) taken[at]!.push({ cpu: (user + system) / 1000 / (perSecond * SECONDS), p50 });
    }
  }
  const middle = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
  const [none, ...cpu] = taken.map((turns) => middle(turns.map((each) => each.cpu)));
  return members.map(({ name, most }, at) => {
    const own = at === 0 ? none! : cpu[at - 1]!;
    const times = own / none!;
    const p50 = ms(middle(taken[at]!.map((each) => each.p50)));
    const target = at === 0 ? ['', ''] : [`${most.toFixed(1)}`, times <= most ? 'met' : 'missed'];
    return [at === 0 ? of.name : '', name, ms(own), times.toFixed(2), p50, ...target];
  });
}
