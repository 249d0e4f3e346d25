import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AccessPolicy, ProjectMembership, Resource } from '#lib/protocol/fhir/types.ts';
import { compiled } from '#lib/testing/compiled.ts';
import { drawsItsQuestions } from '#lib/testing/set-up/noted-statements.ts';
import type { Actor, Ctx } from '../access/context.ts';
import { mayReach, reach } from '../access/policy.ts';
import { patientOf, scopeRules } from '../access/scope-rules.ts';
import { write } from '../audit/write.ts';
import { createRow } from './create-row.ts';
import type { Row } from './row.ts';
import { searchRows } from './search-rows.ts';
import { isWithin } from './within-reach.ts';

drawsItsQuestions();

const ctx: Ctx = { requestId: 'test', remoteAddress: '', userAgent: '' };
const TYPES = ['Observation', 'Patient', 'Practitioner', 'Task'] as const;

const patients = fc.constantFrom('p1', 'p2', 'p3');
const resources: fc.Arbitrary<Resource> = fc.oneof(
  fc.record({ id: patients, gender: fc.constantFrom('male', 'female') }).map(({ id, gender }) => {
    return { resourceType: 'Patient', gender, link: [{ type: 'seealso', other: { reference: `Patient/${id}` } }] };
  }),
  fc
    .record({
      id: patients,
      code: fc.constantFrom('laboratory', 'imaging'),
      status: fc.constantFrom('final', 'amended'),
    })
    .map(({ id, code, status }) => {
      const category = [{ coding: [{ system: 'urn:c', code }] }];
      return { resourceType: 'Observation', status, code: {}, category, subject: { reference: `Patient/${id}` } };
    }),
  fc.constantFrom('male', 'female').map((gender) => ({ resourceType: 'Practitioner', gender })),
  patients.map((id) => ({
    resourceType: 'Task',
    status: 'draft',
    intent: 'order',
    for: { reference: `Patient/${id}` },
  })),
) as fc.Arbitrary<Resource>;

const rules = fc.constantFrom<NonNullable<AccessPolicy['resource']>[number]>(
  { resourceType: '*' },
  { resourceType: 'Observation' },
  { resourceType: 'Observation', criteria: 'Observation?subject=%patient' },
  { resourceType: 'Observation', criteria: 'Observation?category=laboratory&status:not=amended' },
  { resourceType: 'Patient', criteria: 'Patient?gender=female', readonly: true },
  { resourceType: 'Patient', criteria: 'Patient?_compartment=Patient/p2' },
  { resourceType: 'Task', interaction: ['search'] },
);
const scopes = fc.constantFrom(
  'patient/*.rs',
  'patient/Observation.rs?category=urn:c|laboratory',
  'patient/Patient.read',
  'user/*.read',
  'user/Observation.rs?category=imaging',
  'user/Observation.rs?status:not=final&subject=Patient/p1,Patient/p3',
  'user/Patient.cruds',
  'system/Task.s',
  'system/Practitioner.rs',
  'user/Observation.r',
  'user/Nonsense.rs',
);

/** A member whose profile is this, with a login of these scopes. */
function member(
  projectId: string,
  profile: string,
  given: { resource: AccessPolicy['resource']; scope: string },
): Actor {
  const accessPolicy = { reference: 'AccessPolicy/p' };
  const membership = { resourceType: 'ProjectMembership', profile: { reference: profile }, accessPolicy };
  const policies = new Map([
    ['AccessPolicy/p', { resourceType: 'AccessPolicy', resource: given.resource } as AccessPolicy],
  ]);
  const source = { projectId, membership: membership as ProjectMembership, policies, superAdmin: false };
  const scope = scopeRules(given.scope, { projectId, patient: patientOf({ profile }) });
  return { policy: { ...compiled(source), scope } } as Actor;
}

async function found(actor: Actor, projectId: string): Promise<string[]> {
  const all = await Promise.all(
    TYPES.filter((type) => mayReach(actor, type, 'search')).map(async (type) => {
      const query = { type, filter: { op: 'all' } as const, count: 1000, offset: 0, sort: [] };
      return (await searchRows(projectId, query, reach(actor, type, 'search'))).rows;
    }),
  );
  return all
    .flat()
    .map(({ type, id }) => `${type}/${id}`)
    .sort();
}

/** What of these the actor reaches, each judged by itself. */
async function judged(actor: Actor, rows: Row[]): Promise<string[]> {
  const asked = rows.filter((row) => mayReach(actor, row.type, 'search'));
  const within = await Promise.all(asked.map((row) => isWithin(reach(actor, row.type, 'search'), row)));
  return asked
    .filter((_, at) => within[at])
    .map(({ type, id }) => `${type}/${id}`)
    .sort();
}

test('a search finds what policy and scope both let through, and one resource is judged the same', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(resources, { minLength: 5, maxLength: 30 }),
      fc.array(fc.tuple(fc.array(rules, { maxLength: 3 }), fc.array(scopes, { minLength: 1, maxLength: 3 })), {
        minLength: 15,
        maxLength: 15,
      }),
      fc.constantFrom('Patient/p1', 'Patient/p2', 'Practitioner/d'),
      async (stored, given, profile) => {
        const projectId = randomUUID();
        const rows = await write(ctx, async (w) => {
          w.audit({ projectId, action: 'resource.create', target: 'Patient' });
          const made: Row[] = [];
          for (const resource of stored) made.push(await createRow(w, projectId, resource, { author: undefined }));
          return made;
        });
        for (const [resource, asked] of given) {
          const scope = asked.join(' ');
          const narrowed = member(projectId, profile, { resource, scope });
          const byPolicy = await judged(member(projectId, profile, { resource, scope: 'openid' }), rows);
          const byScope = await judged(member(projectId, profile, { resource: [{ resourceType: '*' }], scope }), rows);
          const both = byPolicy.filter((name) => byScope.includes(name));
          expect(await judged(narrowed, rows), `${JSON.stringify(resource)} ${scope}`).toEqual(both);
          expect(await found(narrowed, projectId), `${JSON.stringify(resource)} ${scope}`).toEqual(both);
        }
      },
    ),
    { numRuns: 20 },
  );
}, 120_000);
