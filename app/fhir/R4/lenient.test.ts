import { beforeAll, describe, expect, test } from 'vitest';
import type { Answer, Call } from '#lib/testing/call-api.ts';
import { callFhir, expectIssue, FHIR_BASE } from '#lib/testing/fhir/call-fhir.ts';
import { type Caller, type FhirProject, makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';

let project: FhirProject;
let admin: Caller;
beforeAll(async () => {
  project = await makeFhirProject();
  admin = project.admin;
  for (const gender of ['male', 'female']) {
    await callFhir(admin, 'POST', 'Patient', { body: { resourceType: 'Patient', gender } });
  }
});

const search = (query: string, prefer = 'handling=lenient', caller = admin): Promise<Answer> =>
  callFhir(caller, 'GET', `Patient?${query}`, { headers: { prefer } });
const outcomeOf = ({ body }: Answer) =>
  body.entry?.find(({ search }: Answer['body']) => search.mode === 'outcome')?.resource;
const matchesOf = ({ body }: Answer) =>
  (body.entry ?? []).filter(({ search }: Answer['body']) => search.mode === 'match').length;

describe('Prefer: handling=lenient', () => {
  test('an unknown parameter is passed over, named in an outcome entry, and not in the links', async () => {
    const answer = await search('gender=male&favourite=blue&_nothing=1&_total=accurate');
    expect([answer.status, matchesOf(answer), answer.body.total]).toEqual([200, 1, 1]);
    const outcome = outcomeOf(answer);
    expect(outcome.issue.map(({ severity, code, expression }: Answer['body']) => [severity, code, expression])).toEqual(
      [
        ['warning', 'not-supported', ['favourite']],
        ['warning', 'not-supported', ['_nothing']],
      ],
    );
    expect(answer.body.link[0].url).toBe(`${FHIR_BASE}/Patient?gender=male&_total=accurate`);
    const next = (await search('favourite=blue&_count=1')).body.link.find(
      ({ relation }: Answer['body']) => relation === 'next',
    );
    expect(next.url).not.toContain('favourite');
    expect((await callFhir(admin, 'GET', next.url.slice(FHIR_BASE.length + 1))).status).toBe(200);
  });

  test('so by POST, for members, and within reach', async () => {
    const call: Call = { body: new URLSearchParams({ favourite: 'blue', gender: 'male' }) };
    const headers = {
      prefer: 'return=minimal; handling="lenient"',
      'content-type': 'application/x-www-form-urlencoded',
    };
    const post = await callFhir(admin, 'POST', 'Patient/_search', { ...call, headers });
    expect([post.status, matchesOf(post), outcomeOf(post).issue.length]).toEqual([200, 1, 1]);
    const members = await callFhir(admin, 'GET', 'ProjectMembership?favourite=blue&_total=accurate', {
      headers: { prefer: 'handling=lenient' },
    });
    expect([members.status, members.body.total]).toEqual([200, matchesOf(members)]);
    const limited = await project.member([{ resourceType: 'Patient', criteria: 'Patient?gender=female' }]);
    expect(matchesOf(await search('favourite=blue', 'handling=lenient', limited))).toBe(1);
  });

  test.each([
    'gender:nonsense=male',
    'birthdate=soon',
    '_count=x',
    '_sort=favourite',
    '_include=Patient:favourite',
    'favourite=',
    '_summary=perhaps',
  ])('what is wrong of a known one stays wrong: %s', async (query) => expectIssue(await search(query), 400, 'invalid'));

  test.each([
    'general-practitioner:Practitioner.favourite=x',
    'general-practitioner.favourite=x',
    'general-practitioner:Nonsense.name=x',
    'general-practitioner:Patient.name=x',
    'favourite.name=x',
    'gender.name=x',
    'general-practitioner:Practitioner.name.family=x',
    '_has:Observation:patient:favourite=x',
    '_has:Observation:favourite:code=x',
    '_has:Nonsense:patient:code=x',
    '_has:Observation:patient:performer:Practitioner.favourite=x',
    '_has:Observation:patient:_has:Nonsense:x:y=x',
    '_has:x=x',
  ])('a chain or _has with a name that is unknown is passed over whole: %s', async (query) => {
    const answer = await search(`gender=male&${query}&_total=accurate`);
    expect([answer.status, matchesOf(answer), answer.body.total]).toEqual([200, 1, 1]);
    expect(outcomeOf(answer).issue).toMatchObject([{ code: 'not-supported', expression: [query.split('=')[0]] }]);
    expect(answer.body.link[0].url).toBe(`${FHIR_BASE}/Patient?gender=male&_total=accurate`);
    expectIssue(await search(query, 'handling=strict'), 400, 'invalid', query.split('=')[0]);
  });

  test.each([
    'general-practitioner:Practitioner.name:nonsense=x',
    '_has:Observation:patient:date=soon',
    '_has:Observation:patient:code=',
    `${'_has:Observation:patient:'.repeat(60)}code=x`,
    `_has:Patient:link:${'_has:Patient:link:'.repeat(6)}name=x`,
    Array.from({ length: 30 }, (_, at) => `_has:Observation:patient:x${at}=1`).join('&'),
  ])('what is wrong or too much in one stays refused: %s', async (query) =>
    expectIssue(await search(query), 400, 'invalid'),
  );

  test('what is preferred of a Bundle is preferred of its searches', async () => {
    const entry = [{ request: { method: 'GET', url: 'Patient?favourite=blue&gender=male' } }];
    for (const type of ['batch', 'transaction']) {
      const body = { resourceType: 'Bundle', type, entry };
      const headers = { prefer: 'return=minimal; handling="lenient"' };
      const found = (await callFhir(admin, 'POST', '', { body, headers })).body.entry[0];
      expect([found.response.status, matchesOf({ body: found.resource } as Answer)]).toEqual(['200 OK', 1]);
      const strict = await callFhir(admin, 'POST', '', { body });
      if (type === 'batch') expect(strict.body.entry[0].response.status).toBe('400 Bad Request');
      else expect(strict.status).toBe(400);
    }
  });

  test('over types and in a compartment: what one type lacks is passed over for all', async () => {
    const { id } = (await search('gender=male')).body.entry[0].resource;
    const body = { resourceType: 'Observation', status: 'final', code: { text: 'x' } };
    await callFhir(admin, 'POST', 'Observation', { body: { ...body, subject: { reference: `Patient/${id}` } } });
    const headers = { prefer: 'handling=lenient' };
    const paths: [string, number, string[]][] = [
      ['?_type=Patient,Observation&gender=male', 3, ['gender']],
      ['?_type=Patient,Observation&gender=male&_id=x', 0, ['gender']],
      ['?_type=Patient,Observation&patient.favourite=x&favourite=blue', 3, ['patient.favourite', 'favourite']],
      [`Patient/${id}/*?favourite=blue`, 2, ['favourite']],
      [`Patient/${id}/Observation?favourite=blue&status=final`, 1, ['favourite']],
    ];
    for (const [path, matches, names] of paths) {
      const answer = await callFhir(admin, 'GET', path, { headers });
      expect([path, answer.status, matchesOf(answer)]).toEqual([path, 200, matches]);
      const named = outcomeOf(answer).issue.map(({ expression }: Answer['body']) => expression[0]);
      expect(named.sort()).toEqual(names.toSorted());
      for (const { url } of answer.body.link) expect(new URL(url).searchParams.has(names[0]!)).toBe(false);
      expectIssue(await callFhir(admin, 'GET', path), 400, 'invalid');
    }
    const form = { 'content-type': 'application/x-www-form-urlencoded', ...headers };
    for (const path of ['_search', `Patient/${id}/_search`, `Patient/${id}/Observation/_search`]) {
      const call = { body: new URLSearchParams({ favourite: 'x', ...(path === '_search' && { _type: 'Patient' }) }) };
      expect((await callFhir(admin, 'POST', path, { ...call, headers: form })).status).toBe(200);
      expectIssue(await callFhir(admin, 'POST', path, call), 400, 'invalid');
    }
    expectIssue(await callFhir(admin, 'GET', '?_type=Patient,Nonsense&x=1', { headers }), 400, 'invalid', '_type');
    expectIssue(await callFhir(admin, 'GET', '?favourite=blue', { headers }), 400, 'invalid', '_type');
  });

  test('never for a condition, whatever is preferred', async () => {
    const headers = { prefer: 'handling=lenient' };
    const body = { resourceType: 'Patient', gender: 'other' };
    const calls: [string, string, Call][] = [
      ['POST', 'Patient', { body, headers: { ...headers, 'if-none-exist': 'favourite=blue' } }],
      ['PUT', 'Patient?favourite=blue', { body, headers }],
      ['DELETE', 'Patient?favourite=blue', { headers }],
      [
        'PATCH',
        'Patient?favourite=blue',
        {
          body: '[{"op":"add","path":"/active","value":true}]',
          headers: { ...headers, 'content-type': 'application/json-patch+json' },
        },
      ],
    ];
    const chained = 'Patient?general-practitioner:Practitioner.favourite=blue';
    calls.push(['PUT', chained, { body, headers }], ['DELETE', 'Patient?_has:Observation:patient:x=blue', { headers }]);
    for (const [method, path, call] of calls) expectIssue(await callFhir(admin, method, path, call), 400, 'invalid');
    expect((await search('gender=other')).body.entry).toBeUndefined();
  });

  test('a hundred unknown names of any length are bounded in the answer', async () => {
    const name = 'x'.repeat(2000);
    const answer = await search(Array.from({ length: 99 }, (_, at) => `${name}${at}=1`).join('&'));
    expect(answer.status).toBe(200);
    expect(JSON.stringify(outcomeOf(answer)).length).toBeLessThan(99 * 400);
    expectIssue(await search(Array.from({ length: 101 }, (_, at) => `x${at}=1`).join('&')), 400, 'invalid');
  });
});

test.each(['handling=strict', 'return=minimal', 'handling=lenientish', 'xhandling=lenient', ''])(
  'an unknown parameter is 400 with Prefer: %s',
  async (prefer) => expectIssue(await search('favourite=blue', prefer), 400, 'invalid', 'favourite'),
);
