import { expect, test } from 'vitest';
import { callFhir } from '#lib/testing/fhir/call-fhir.ts';
import { makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';
import { START_CTX } from '#lib/testing/world.ts';
import { searchResources } from '../rest/search/search-resources.ts';
import { loadActor } from './load-actor.ts';
import { narrowActor } from './narrow-actor.ts';

test('a scope that asks by what the policy hides lets nothing through of which it is hidden, and so tells nothing', async () => {
  const { projectId, admin, member } = await makeFhirProject();
  const make = (body: object) => callFhir(admin, 'POST', 'Patient', { body: { resourceType: 'Patient', ...body } });
  const address = [{ city: 'Boston' }];
  const [open] = await Promise.all([
    make({ gender: 'male', address }),
    make({ gender: 'female', address }),
    make({ gender: 'female' }),
  ]);
  const { membershipId } = await member([
    { resourceType: 'Patient', criteria: 'Patient?gender=female', hiddenFields: ['address'] },
    { resourceType: 'Patient' },
  ]);
  const found = async (query: string) => {
    const { value } = await loadActor({ projectId, membershipId, scope: `user/Patient.rs?${query}` });
    const { entry = [] } = JSON.parse(
      await searchResources({ ...START_CTX, actor: narrowActor(value) }, 'Patient', []),
    );
    return entry.map(({ resource }: { resource: { id: string } }) => resource.id);
  };
  expect(await found('address-city=boston')).toEqual([open.body.id]);
  expect(await found('address-city:missing=true')).toEqual([]);
  expect(await found('gender=female')).toHaveLength(2);
});
