import { expect, test } from 'vitest';
import { isIdentityType, resourceTypes } from '#lib/protocol/fhir/type-ids.ts';
import { callApi } from '#lib/testing/call-api.ts';
import { callFhir } from '#lib/testing/fhir/call-fhir.ts';
import { type Caller, makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';
import type { Policy } from '../access/policy.ts';
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

test('of a policy of 102 rules a session has the list alone, less than 1 KiB: its rules are one for all members', async () => {
  const { projectId, admin } = await makeFhirProject();
  const resource = [...resourceTypes()]
    .filter((type) => !isIdentityType(type) && !['Binary', 'Bundle'].includes(type))
    .slice(0, 102)
    .map((resourceType, at) => ({
      resourceType,
      ...(at % 2 === 0 && { readonly: true }),
      criteria: `${resourceType}?_tag=x`,
    }));
  expect(resource).toHaveLength(102);
  const policy = { resourceType: 'AccessPolicy', name: 'Practitioners', resource };
  const { body } = await callFhir(admin, 'POST', 'AccessPolicy', { body: policy });
  const accessPolicy = { reference: `AccessPolicy/${body.id}` };
  const [one, other] = [await loadWith(admin, projectId, accessPolicy), await loadWith(admin, projectId, accessPolicy)];
  expect(one).not.toBe(other);
  expect(one.rules.length).toBeGreaterThanOrEqual(102);
  expect(other.rules.filter((each) => !one.rules.includes(each))).toEqual([]);
  expect(Object.keys(other)).toEqual(['rules']);
  // A pointer each, and the header of the list.
  expect(8 * other.rules.length + 64).toBeLessThan(1024);
  // What was shared is not kept when it is changed.
  await callFhir(admin, 'PUT', `AccessPolicy/${body.id}`, { body: { ...body, resource: resource.slice(0, 1) } });
  const { rules } = await loadWith(admin, projectId, accessPolicy);
  expect(rules.map(({ resourceType }) => resourceType)).toEqual([
    resource[0]!.resourceType,
    'SearchParameter',
    'StructureDefinition',
  ]);
});

/** Of a new member with this policy. */
async function loadWith(admin: Caller, projectId: string, accessPolicy: object): Promise<Policy> {
  const client = await callApi(admin.authorization, 'POST', `/admin/projects/${projectId}/client`, {
    body: { name: 'x', accessPolicy },
  });
  const path = `ProjectMembership?profile=ClientApplication/${client.body.id}`;
  const { body } = await callFhir(admin, 'GET', path);
  return (await loadActor({ projectId, membershipId: body.entry[0].resource.id, scope: 'openid' })).value.policy;
}
