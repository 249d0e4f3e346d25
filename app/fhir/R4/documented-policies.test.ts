import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { AccessPolicyRule } from '#lib/protocol/fhir/types.ts';
import { callFhir } from '#lib/testing/fhir/call-fhir.ts';
import { makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';

const PAGE = readFileSync(join(import.meta.dirname, '../../../docs/access-policies.md'), 'utf8');

test('every example of docs/access-policies.md answers as it says, and the ward’s does what is told of it', async () => {
  const project = await makeFhirProject();
  const examples = [...PAGE.matchAll(/^```http (\d+)\nPOST \/fhir\/R4\/(\w+)\n(.*?)^```/gms)];
  expect(examples).toHaveLength(11);
  const policies: { name: string; resource: AccessPolicyRule[] }[] = [];
  let ward = '';
  for (const [, status, type = '', body = ''] of examples) {
    const answer = await callFhir(project.admin, 'POST', type, {
      body: JSON.parse(body.replace('{ward}', ward)),
    });
    expect(answer.status, answer.text).toBe(Number(status));
    if (answer.body.name === 'Ward') ward = `AccessPolicy/${answer.body.id}`;
    const where = /^(AccessPolicy\.resource\[0\]|Resource\.meta\.accounts)/;
    if (status === '400') expect(answer.body.issue[0].expression[0]).toMatch(where);
    policies.push(JSON.parse(body));
  }
  const doctor = await project.member(policies.find(({ name }) => name === 'Ward')!.resource);
  const make = async (body: object) => (await callFhir(project.admin, 'POST', 'Patient', { body })).body.id;
  const patient = { resourceType: 'Patient', address: [{ city: 'Here' }], name: [{ family: 'A' }] };
  const theirs = await make({ ...patient, generalPractitioner: [{ reference: `PractitionerRole/x` }] });
  expect((await callFhir(doctor, 'GET', `Patient/${theirs}`)).status).toBe(404);
  const task = (status: string) => ({ resourceType: 'Task', status, intent: 'order' });
  const made = (await callFhir(doctor, 'POST', 'Task', { body: task('completed') })).body;
  const put = await callFhir(doctor, 'PUT', `Task/${made.id}`, { body: { ...made, status: 'draft' } });
  expect(put.status).toBe(403);
});
