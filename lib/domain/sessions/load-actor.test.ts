import { expect, test } from 'vitest';
import { callFhir } from '#lib/testing/fhir/call-fhir.ts';
import { makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';
import { loadActor } from './load-actor.ts';

test('all sessions of a membership share one policy, until something that it is made of changes', async () => {
  const { projectId, admin, member } = await makeFhirProject();
  const { membershipId } = await member([{ resourceType: 'Patient' }]);
  const load = async () => (await loadActor({ projectId, membershipId, scope: 'openid' })).value.policy;
  const [first, second] = await Promise.all([load(), load()]);
  const third = await load();
  expect(third === first || third === second).toBe(true);
  const { body } = await callFhir(admin, 'GET', 'AccessPolicy');
  const [{ resource: policy }] = body.entry;
  await callFhir(admin, 'PUT', `AccessPolicy/${policy.id}`, {
    body: { ...policy, resource: [{ resourceType: 'Observation' }] },
  });
  const changed = await load();
  expect(changed.rules.map(({ resourceType }) => resourceType)).toContain('Observation');
  expect(await load()).toBe(changed);
});
