import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import type { AccessPolicyRule } from '#lib/protocol/fhir/types.ts';
import { callFhir } from '#lib/testing/fhir/call-fhir.ts';
import { type Caller, type FhirProject, makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';

let project: FhirProject;
beforeAll(async () => {
  project = await makeFhirProject();
});

const of = <T>(...list: T[]) => fc.constantFrom(...list);
const INTERACTIONS = ['read', 'vread', 'history', 'search', 'create', 'update', 'delete'] as const;
type Interaction = (typeof INTERACTIONS)[number];
type Rule = { criteria?: string; interaction: Interaction[] };
type Fields = { [name: string]: unknown };

const fields: fc.Arbitrary<Fields> = fc
  .record({
    status: of('final', 'preliminary'),
    code: of('c1', 'c2').map((code) => ({
      coding: [{ system: 'urn:c', code }],
      text: code === 'c1' ? 'Ada' : 'Müller',
    })),
    subject: of(undefined, { reference: 'Patient/p0' }, { reference: 'Patient/p1' }),
    effectiveDateTime: of(undefined, '1974-12', '1999', '2010-01-31'),
    valueQuantity: of(undefined, { value: 3, unit: 'kg' }, { value: 7, unit: 'kg' }),
  })
  .map((drawn) => JSON.parse(JSON.stringify(drawn)));

const part = fc.oneof(
  of('status=final', 'status:not=final', 'code=c1', 'code=urn:c|c2', 'code:text=ad', 'code:not=c2'),
  of('subject=Patient/p0', 'subject:missing=true', 'patient=p1', '_compartment=Patient/p0', 'subject:not=Patient/p1'),
  of('date=ge1999', 'date=lt1999-06', 'date=1974', 'date:missing=true', 'date=ne2010-01-31'),
  of('value-quantity=gt3', 'value-quantity=le3', 'value-quantity:missing=false', 'code-value-quantity=c1$gt3'),
);
const rule: fc.Arbitrary<Rule> = fc.record(
  {
    criteria: fc.array(part, { minLength: 1, maxLength: 2 }).map((parts) => `Observation?${parts.join('&')}`),
    interaction: fc.subarray([...INTERACTIONS], { minLength: 3 }),
  },
  { requiredKeys: ['interaction'] },
);
const WRITES = [
  'update',
  'patch',
  'conditional update',
  'conditional patch',
  'create',
  'delete',
  'conditional delete',
] as const;
type Write = (typeof WRITES)[number];

/** Whether the rules let the resource through, as PostgreSQL finds it for who is limited by none. */
async function finds(id: string, rules: Rule[], interaction: Interaction): Promise<boolean> {
  for (const { criteria } of rules.filter((each) => each.interaction.includes(interaction))) {
    const { status, body } = await callFhir(project.admin, 'GET', `${criteria ?? 'Observation?'}&_id=${id}`);
    expect(status).toBe(200);
    if (body.entry?.length) return true;
  }
  return false;
}

async function write(by: Caller, how: Write, id: string, next: Fields): Promise<{ status: number; id: string }> {
  const body = { resourceType: 'Observation', ...next };
  const patch = Object.entries(next).map(([name, value]) => ({ op: 'add', path: `/${name}`, value }));
  const headers = { 'content-type': 'application/json-patch+json' };
  const sent = {
    update: ['PUT', `Observation/${id}`, { body: { ...body, id } }],
    'conditional update': ['PUT', `Observation?_id=${id}`, { body }],
    patch: ['PATCH', `Observation/${id}`, { body: JSON.stringify(patch), headers }],
    'conditional patch': ['PATCH', `Observation?_id=${id}`, { body: JSON.stringify(patch), headers }],
    create: ['POST', 'Observation', { body }],
    delete: ['DELETE', `Observation/${id}`, {}],
    'conditional delete': ['DELETE', `Observation?_id=${id}`, {}],
  } as const;
  const [method, path, call] = sent[how];
  const answer = await callFhir(by, method, path, call);
  return { status: answer.status, id: how === 'create' ? answer.body?.id : id };
}

/** Its version; 0 when it is deleted. */
async function versionOf(id: string): Promise<number> {
  const { status, body } = await callFhir(project.admin, 'GET', `Observation/${id}`);
  return status === 200 ? Number(body.meta.versionId) : 0;
}

/** What is read in memory: of what is there, before and after. What a search finds: by PostgreSQL. */
test('whatever is done to a resource, memory and PostgreSQL read a policy alike', async () => {
  const asked = fc.record({
    rules: fc.array(rule, { minLength: 1, maxLength: 3 }),
    before: fields,
    next: fields,
    how: of(...WRITES),
  });
  await fc.assert(
    fc.asyncProperty(asked, async ({ rules, before, next, how }) => {
      const given = rules.map((each) => ({ resourceType: 'Observation', ...each })) as AccessPolicyRule[];
      const member = await project.member(given);
      const { id } = await write(project.admin, 'create', '', before);
      const shown: [Interaction, string][] = [
        ['read', ''],
        ['vread', '/_history/1'],
        ['history', '/_history'],
      ];
      for (const [interaction, path] of shown) {
        const { status } = await callFhir(member, 'GET', `Observation/${id}${path}`);
        expect([interaction, status === 200]).toEqual([interaction, await finds(id, rules, interaction)]);
      }
      const found = await callFhir(member, 'GET', `Observation?_id=${id}&_total=accurate`);
      expect((found.body.total ?? 0) === 1).toBe(await finds(id, rules, 'search'));
      await expectWritten(member, { rules, id, next, how });
    }),
    { numRuns: 60 },
  );
});

type Asked = { rules: Rule[]; id: string; next: Fields; how: Write };

/** What was allowed fits before and after; what was refused does not, as soon as somebody else has done the same. */
async function expectWritten(member: Caller, { rules, id, next, how }: Asked): Promise<void> {
  const interaction = how === 'create' ? 'create' : how.endsWith('delete') ? 'delete' : 'update';
  const isCreate = how === 'create';
  // What is not seen is not changed, but for deletes, which ask no more than that; by a condition is found what a search finds.
  const seen = isCreate || interaction === 'delete' || (await finds(id, rules, 'read'));
  const isFound = !how.startsWith('conditional') || (await finds(id, rules, 'search'));
  const fitsBefore = isCreate || (await finds(id, rules, interaction));
  const own = await write(member, how, id, next);
  const isDone = isCreate ? own.status === 201 : (await versionOf(id)) !== 1;
  const done = isDone ? own : await write(project.admin, how, id, next);
  const fitsAfter = interaction === 'delete' || (await finds(done.id, rules, interaction));
  const isUnchanged = !isCreate && !isDone && own.status === 200;
  if (!isUnchanged) expect([own.status, isDone]).toEqual([own.status, seen && isFound && fitsBefore && fitsAfter]);
}
