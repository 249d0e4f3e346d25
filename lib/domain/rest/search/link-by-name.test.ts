import { afterEach, expect, test } from 'vitest';
import { callApi } from '#lib/testing/call-api.ts';
import { makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';
import { linkBounds } from '../../store/links/find-linked.ts';

const USUAL = { ...linkBounds };
const URL = 'urn:intake';

afterEach(() => void Object.assign(linkBounds, USUAL));

/** Two versions of one questionnaire, and an answer to each, to any, to one that is not there, and to the second by its id. */
async function answered() {
  const { admin } = await makeFhirProject();
  const send = async (body: Record<string, unknown> & { resourceType: string }): Promise<string> => {
    const answer = await callApi(admin.authorization, 'POST', `/fhir/R4/${body.resourceType}`, { body });
    expect(answer.status).toBe(201);
    return answer.body.id;
  };
  const published = { resourceType: 'Questionnaire', status: 'active', url: URL };
  const names = new Map<string, string>();
  for (const version of ['1', '2'])
    names.set(await send({ ...published, version, title: `Intake ${version}` }), `version ${version}`);
  const [, second] = [...names.keys()];
  for (const questionnaire of [URL, `${URL}|1`, `${URL}|2`, `${URL}|3`, `Questionnaire/${second}`]) {
    const id = await send({ resourceType: 'QuestionnaireResponse', status: 'completed', questionnaire });
    names.set(id, questionnaire.replace(second!, '2'));
  }
  return async (path: string) => {
    const { status, body } = await callApi(admin.authorization, 'GET', `/fhir/R4/${path}`);
    expect([path, status]).toEqual([path, 200]);
    return (body.entry ?? []).map((entry: { resource: { id: string } }) => names.get(entry.resource.id)).sort();
  };
}

test.each([
  ['few are at the other end', USUAL],
  ['too many are', { ...USUAL, targets: 0, sources: 0, names: 0 }],
])('a canonical leads to its version, or to each where it names none: where %s', async (_, bounds) => {
  const found = await answered();
  Object.assign(linkBounds, bounds);
  expect(await found('QuestionnaireResponse?questionnaire.title=intake 1')).toEqual(['urn:intake', 'urn:intake|1']);
  expect(await found('QuestionnaireResponse?questionnaire:Questionnaire.version=2')).toEqual([
    'Questionnaire/2',
    'urn:intake',
    'urn:intake|2',
  ]);
  expect(await found('QuestionnaireResponse?questionnaire.title=intake 9')).toEqual([]);
  const answers = 'Questionnaire?_has:QuestionnaireResponse:questionnaire';
  expect(await found(`${answers}:questionnaire=${URL}|1`)).toEqual(['version 1']);
  expect(await found(`${answers}:questionnaire=${URL}|2`)).toEqual(['version 2']);
  expect(await found(`${answers}:questionnaire=${URL}|3`)).toEqual([]);
  expect(await found(`${answers}:status=completed`)).toEqual(['version 1', 'version 2']);
});

test('_filter has chains over canonicals under or and not', async () => {
  const found = await answered();
  const either = 'questionnaire.version eq 1 or questionnaire eq urn:intake|3';
  expect(await found(`QuestionnaireResponse?_filter=${either}`)).toEqual([
    'urn:intake',
    'urn:intake|1',
    'urn:intake|3',
  ]);
  expect(await found('QuestionnaireResponse?_filter=not (questionnaire.title sw "intake 2")')).toEqual([
    'urn:intake|1',
    'urn:intake|3',
  ]);
});
