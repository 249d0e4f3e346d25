import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import type { AccessPolicyRule } from '#lib/protocol/fhir/types.ts';
import { callFhir } from '#lib/testing/fhir/call-fhir.ts';
import { type Caller, type FhirProject, makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';

let project: FhirProject;
let ids: string[];

const GENDERS = ['male', 'female', 'other'];
const YEARS = ['1950-03-04', '1974-12', '1999', '2010-01-31'];
const FAMILIES = ['Ada', 'Adams', 'Müller', 'Okafor'];

beforeAll(async () => {
  project = await makeFhirProject();
  const bodies = Array.from({ length: 12 }, (_, at) => ({
    resourceType: 'Observation',
    status: at % 3 === 0 ? 'final' : 'preliminary',
    code: { coding: [{ system: 'urn:c', code: `c${at % 4}` }], text: FAMILIES[at % 4] },
    subject: { reference: `Patient/p${at % 2}` },
    ...(at % 5 !== 0 && { effectiveDateTime: YEARS[at % 4] }),
    ...(at % 3 !== 1 && {
      valueQuantity: { value: at, unit: 'kg', system: 'http://unitsofmeasure.org', code: at % 2 ? 'kg' : 'g' },
    }),
    ...(at % 4 === 2 && { valueString: FAMILIES[at % 3], valueQuantity: undefined }),
    meta: {
      tag: [{ code: GENDERS[at % 3] }],
      ...(at % 4 > 1 && { accounts: [{ reference: `Organization/o${at % 4}` }, { reference: 'Patient/p0' }] }),
    },
  }));
  const made = await Promise.all(bodies.map((body) => callFhir(project.admin, 'POST', 'Observation', { body })));
  expect(made.map(({ status }) => status)).toEqual(made.map(() => 201));
  ids = made.map(({ body }) => body.id);
});

const part = fc.oneof(
  fc.constantFrom('status=final', 'status:not=final', 'status=final,preliminary', '_tag=male', '_tag:not=male'),
  fc.constantFrom(
    'subject=Patient/p0',
    'subject:missing=true',
    'patient=p1',
    'subject:Patient=p1',
    '_compartment=Patient/p0',
    '_compartment=Organization/o2',
    '_compartment:not=Organization/o3',
  ),
  fc
    .tuple(
      fc.constantFrom('', 'ge', 'lt', 'ne', 'sa', 'eb', 'ap'),
      fc.constantFrom('1974', '1999-06', '2010-01-31', '%now'),
    )
    .map(([prefix, date]) => `date=${prefix}${date}`),
  fc.constantFrom('date:missing=true', 'date:missing=false', '_lastUpdated=le%now', '_lastUpdated=gt%now'),
  fc
    .tuple(fc.constantFrom('', 'gt', 'le', 'ne', 'ap'), fc.integer({ min: 0, max: 11 }))
    .chain(([prefix, value]) =>
      fc
        .constantFrom('', '|http://unitsofmeasure.org|kg', '||g')
        .map((unit) => `value-quantity=${prefix}${value}${unit}`),
    ),
  fc.constantFrom(
    'value-quantity:missing=true',
    'value-string=ad',
    'value-string:exact=Ada',
    'value-string:contains=da',
  ),
  fc.constantFrom('code=c1', 'code=urn:c|c2', 'code=urn:c|', 'code:text=ad', 'code:missing=true'),
  fc.constantFrom('code-value-quantity=urn:c|c1$gt3', 'code-value-quantity=c2$lt9||g'),
);
const criteria = fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => `Observation?${parts.join('&')}`);

/** A member whose policy has the first of these rules from another. */
async function basedOn([first, ...own]: AccessPolicyRule[]): Promise<Caller> {
  const body = { resourceType: 'AccessPolicy', name: 'Base', resource: [first] };
  const base = await callFhir(project.admin, 'POST', 'AccessPolicy', { body });
  expect(base.status, base.text).toBe(201);
  return project.member(own, {}, { basedOn: [{ reference: `AccessPolicy/${base.body.id}` }] });
}

/** What PostgreSQL finds, and what is judged in memory, row by row: of a read, a version, and a create of the same. */
test('what a policy lets be searched is what it lets be read, on random criteria', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(criteria, { minLength: 1, maxLength: 2 }), fc.boolean(), async (several, isBased) => {
      const rules = several.map((text) => ({ resourceType: 'Observation', criteria: text }));
      const member = isBased ? await basedOn(rules) : await project.member(rules);
      const found = await callFhir(member, 'GET', 'Observation?_count=100&_total=accurate');
      expect(found.status).toBe(200);
      const searched = (found.body.entry ?? []).map((entry: { resource: { id: string } }) => entry.resource.id).sort();
      const read = await Promise.all(
        ids.map(async (id) => [id, (await callFhir(member, 'GET', `Observation/${id}`)).status]),
      );
      expect(
        read
          .filter(([, status]) => status === 200)
          .map(([id]) => id)
          .sort(),
      ).toEqual(searched);
      expect(found.body.total).toBe(searched.length);
    }),
    { numRuns: 40 },
  );
});

test.each([
  ['Observation?subject.nosuch=x', 'nosuch'],
  ['Observation?_has:Provenance:code:agent=x', 'code'],
  ['Observation?_list=x', '_list'],
  [`Observation?subject:Patient.${'link:Patient.'.repeat(5)}name=x`, 'more than 5'],
  ['Observation?nosuch=1', 'nosuch'],
  ['Observation?date=soon', 'date'],
  ['Observation?code-value-quantity=%a$1', 'variables'],
  ['Patient?gender=male', 'of the same type'],
])('%s is refused when it is saved, with the field and the reason', async (text, reason) => {
  const body = { resourceType: 'AccessPolicy', name: 'x', resource: [{ resourceType: 'Observation', criteria: text }] };
  const answer = await callFhir(project.admin, 'POST', 'AccessPolicy', { body });
  expect(answer.status).toBe(400);
  expect(answer.body.issue[0].expression).toEqual(['AccessPolicy.resource[0].criteria']);
  expect(answer.body.issue[0].details.text).toContain(reason);
});
