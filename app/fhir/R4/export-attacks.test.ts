import { expect, test } from 'vitest';
import { callFhir, expectIssue } from '#lib/testing/fhir/call-fhir.ts';
import { complete, fetchFile, make, observationOf, parseLines, start } from '#lib/testing/fhir/exports.ts';
import { makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';

test('of fifty that are asked for at once five are made, and the others are told when to come again', async () => {
  const { admin } = await makeFhirProject();
  const answers = await Promise.all(Array.from({ length: 50 }, () => start(admin, '$export')));
  expect(answers.filter(({ status }) => status === 202)).toHaveLength(5);
  for (const answer of answers.filter(({ status }) => status !== 202)) {
    expectIssue(answer, 429, 'throttled');
    expect(answer.headers.get('retry-after')).toBe('60');
  }
});

test('an export is started by an entry of a batch as by itself: the answer says where it is', async () => {
  const { admin } = await makeFhirProject();
  await make(admin, 'Patient', {});
  const entry = [{ request: { method: 'GET', url: '$export?_type=Patient' } }];
  const { body } = await callFhir(admin, 'POST', '', { body: { resourceType: 'Bundle', type: 'batch', entry } });
  const [{ response }] = body.entry;
  expect(response).toEqual({ status: '202 Accepted', location: expect.stringMatching(/\/export\/[\w-]{36}\/status$/) });
  const status: string = response.location;
  await expect
    .poll(async () => (await callFhir(admin, 'GET', status.slice('http://localhost:3999/fhir/R4/'.length))).status)
    .toBe(200);
});

test('a policy that is narrowed after the plan holds for a link that was given before', async () => {
  const { admin, member } = await makeFhirProject();
  const ids = [await make(admin, 'Patient', { gender: 'male' }), await make(admin, 'Patient', { gender: 'female' })];
  await make(admin, 'Observation', observationOf(ids[0]!));
  const limited = await member([{ resourceType: 'Patient' }, { resourceType: 'Observation' }]);
  const { output } = await complete(limited, await start(limited, '$export?_type=Patient,Observation'));
  const url = (type: string) => output.find((file) => file.type === type)!.url;
  const [{ resource: policy }] = (await callFhir(admin, 'GET', 'AccessPolicy')).body.entry;
  const resource = [{ resourceType: 'Patient', criteria: 'Patient?gender=male' }];
  expect((await callFhir(admin, 'PUT', `AccessPolicy/${policy.id}`, { body: { ...policy, resource } })).status).toBe(
    200,
  );
  expect(parseLines((await fetchFile(url('Patient'))).text).map(({ id }) => id)).toEqual([ids[0]]);
  for (const method of ['GET', 'HEAD']) expect((await fetchFile(url('Observation'), method)).status).toBe(404);
  const forged = url('Patient').replace('/0?', '/00?');
  for (const link of [
    forged,
    url('Patient').replace(/signature=[^&]*/, 'signature='),
    `${url('Patient')}`.replace(/expires=\d+/, 'expires=NaN'),
  ])
    expectIssue(await fetchFile(link), 404, 'not-found');
});

test('of a time to come there is nothing; an instant that is none is refused', async () => {
  const { admin } = await makeFhirProject();
  await make(admin, 'Patient', {});
  const { output } = await complete(admin, await start(admin, '$export?_since=2999-01-01T00:00:00Z'));
  expect(output).toEqual([]);
  for (const wrong of ['2026-02-30', 'x', '-1', '99999-01-01'])
    expectIssue(await start(admin, `$export?_since=${wrong}`), 400, 'invalid', '_since');
});
