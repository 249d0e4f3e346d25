import { beforeAll, describe, expect, test } from 'vitest';
import { callFhir, expectIssue } from '#lib/testing/fhir/call-fhir.ts';
import { type FhirProject, makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';

let strict: FhirProject;
let lenient: FhirProject;

/** Each goes against one invariant: those that we judge ourselves, and those that the engine does. */
const WRONG = [
  ['Patient', { contact: [{ gender: 'male' }] }, 'Patient.contact[0]', 'pat-1'],
  [
    'Observation',
    { status: 'final', code: { text: 'x' }, referenceRange: [{ appliesTo: [{ text: 'x' }] }] },
    'Observation.referenceRange[0]',
    'obs-3',
  ],
  ['Organization', { active: true }, 'Organization', 'org-1'],
  ['Task', { status: 'draft', intent: 'order', authoredOn: '2024-02-01', lastModified: '2024-01-01' }, 'Task', 'inv-1'],
  ['MolecularSequence', { coordinateSystem: 2 }, 'MolecularSequence', 'msq-3'],
] as const;

beforeAll(async () => {
  strict = await makeFhirProject(false, { strictMode: true });
  lenient = await makeFhirProject(false, { strictMode: false });
});

describe('invariants', () => {
  test.each(WRONG)(
    '%s: a strict project refuses it, another stores it, and $validate tells both',
    async (type, body, expression, key) => {
      const resource = { resourceType: type, ...body };
      expectIssue(await callFhir(strict.admin, 'POST', type, { body: resource }), 400, 'invariant', expression);
      expect((await callFhir(lenient.admin, 'POST', type, { body: resource })).status).toBe(201);
      for (const { admin } of [strict, lenient]) {
        const { status, body: told } = await callFhir(admin, 'POST', `${type}/$validate?mode=create`, {
          body: resource,
        });
        const errors = told.issue.filter(({ severity }: { severity: string }) => severity === 'error');
        expect([status, errors]).toEqual([
          200,
          [expect.objectContaining({ code: 'invariant', expression: [expression] })],
        ]);
        expect(errors[0].details.text).toContain(`(${key})`);
      }
    },
  );
});
