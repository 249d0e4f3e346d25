import { beforeAll, describe, expect, test } from 'vitest';
import { mountedOperations } from '#lib/http/fhir/operations/mounted.ts';
import { searchParam } from '#lib/protocol/fhir/index/search-params.ts';
import { callFhir, expectIssue } from '#lib/testing/fhir/call-fhir.ts';
import { type Caller, makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';

type Named = { name: string; definition: string };

/** It is told of to all, as the other types, and open to super-admins. */
const OF_THE_SERVER = new Set(['DomainConfiguration']);

let admin: Caller;
let superAdmin: Caller;
beforeAll(async () => {
  admin = (await makeFhirProject()).admin;
  superAdmin = (await makeFhirProject(true)).admin;
});

describe('metadata', () => {
  test('is open, is JSON only, and is told once', async () => {
    const answer = await callFhir(undefined, 'GET', 'metadata');
    expect([answer.status, answer.body.resourceType, answer.body.fhirVersion]).toEqual([
      200,
      'CapabilityStatement',
      '4.0.1',
    ]);
    const etag = answer.headers.get('etag')!;
    expect((await callFhir(undefined, 'GET', 'metadata', { headers: { 'if-none-match': etag } })).status).toBe(304);
    expect((await callFhir(undefined, 'GET', 'metadata?_format=xml')).status).toBe(406);
    const again = { 'if-none-match': `W/"x", ${etag}` };
    expect((await callFhir(undefined, 'GET', 'metadata', { headers: again })).status).toBe(304);
    expectIssue(await callFhir(undefined, 'GET', 'metadata?mode=summary'), 400, 'invalid', 'mode');
    expect((await callFhir(undefined, 'GET', 'metadata?mode=normative')).text).toBe(answer.text);
    const terminology = await callFhir(undefined, 'GET', 'metadata?mode=terminology');
    expect(terminology.headers.get('etag')).not.toBe(etag);
    for (const statement of [answer.body, terminology.body]) {
      const head = await callFhir(admin, 'POST', `${statement.resourceType}/$validate`, { body: statement });
      expect(head.body.issue.map(({ severity }: { severity: string }) => severity)).not.toContain('error');
    }
  });

  test('each type does what it says, and says what it does: interactions, conditions and operations of all types', async () => {
    const { resource } = (await callFhir(undefined, 'GET', 'metadata')).body.rest[0];
    const calls: Record<string, [method: string, path: string, body?: object]> = {
      read: ['GET', '/none'],
      vread: ['GET', '/none/_history/1'],
      'history-instance': ['GET', '/none/_history'],
      'history-type': ['GET', '/_history'],
      'search-type': ['GET', ''],
      create: ['POST', '', {}],
      update: ['PUT', '/none', {}],
      patch: ['PATCH', '/none', []],
      delete: ['DELETE', '/none'],
      conditionalUpdate: ['PUT', '?_id=none', {}],
      conditionalDelete: ['DELETE', '?_id=none'],
    };
    const wrong: string[] = [];
    for (const one of resource) {
      const claimed = new Set<string>(one.interaction.map(({ code }: { code: string }) => code));
      if (one.conditionalUpdate) claimed.add('conditionalUpdate');
      if (one.conditionalDelete !== 'not-supported') claimed.add('conditionalDelete');
      for (const [code, [method, path, body]] of Object.entries(calls)) {
        const { status } = await callFhir(superAdmin, method, `${one.type}${path}`, { body });
        if ((status !== 405) !== claimed.has(code) || status >= 500) wrong.push(`${one.type} ${code} ${status}`);
      }
      const named = new Set((one.operation ?? []).map(({ name }: Named) => name));
      for (const name of ['meta', 'meta-add', 'meta-delete', 'validate']) {
        const path = name === 'validate' ? `${one.type}/$validate` : `${one.type}/none/$${name}`;
        const { status } = await callFhir(superAdmin, 'POST', path, { body: { resourceType: 'Parameters' } });
        if ((status !== 405) !== named.has(name)) wrong.push(`${one.type} $${name} ${status}`);
      }
    }
    expect(wrong).toEqual([]);
  });

  test('every search parameter that it lists works', async () => {
    const { resource } = (await callFhir(undefined, 'GET', 'metadata')).body.rest[0];
    const values: Record<string, string> = {
      date: '2020-01-01',
      token: 'true',
      reference: 'x',
      uri: 'urn:x',
      string: 'x',
      number: '1',
      quantity: '1',
      special: '1|2',
    };
    const sampleOf = (of: string, param: { name: string; type: string }) =>
      values[param.type] ??
      searchParam(of, param.name)!
        .groups[0]!.parts.map((part) => values[part.param.type])
        .join('$');
    for (const { type, searchParam: params } of resource) {
      const query = params.map((param: { name: string; type: string }) => `${param.name}=${sampleOf(type, param)}`);
      const caller = OF_THE_SERVER.has(type) ? superAdmin : admin;
      const answer = await callFhir(caller, 'GET', `${type}?${query.join('&')}`);
      expect(answer.status, `${type}: ${answer.text}`).toBe(200);
    }
  });

  test('every operation that it lists runs where it says, and none runs that it does not list', async () => {
    const [{ operation = [], resource }] = (await callFhir(undefined, 'GET', 'metadata')).body.rest;
    const all = [{ type: '', operation }, ...resource];
    const listed: string[] = all.flatMap(({ type, operation = [] }: { type: string; operation?: Named[] }) =>
      operation.map(({ name, definition }) => {
        expect(new URL(definition).pathname).toMatch(/\/OperationDefinition\/\S+$/);
        return type ? `${type}/$${name}` : `$${name}`;
      }),
    );
    const types: string[] = resource.map(({ type }: { type: string }) => type);
    // Where nobody updates, nobody changes labels either.
    const isUpdated = (type: string) =>
      resource
        .find((one: { type: string }) => one.type === type)
        .interaction.some(({ code }: { code: string }) => code === 'update');
    const mounted = mountedOperations().flatMap(({ type, name, isUpdate }) =>
      (type === 'Resource' ? types.filter((one) => !isUpdate || isUpdated(one)) : [type]).map((each) =>
        each ? `${each}/$${name}` : `$${name}`,
      ),
    );
    expect(mounted.length).toBeGreaterThan(types.length);
    expect(listed.toSorted()).toEqual(mounted.toSorted());
    for (const path of [...listed, 'Patient/$everything', 'Bot/$rotate-secret', '$validate']) {
      const [type = '', name = ''] = path.includes('/') ? path.split('/') : ['', path];
      const answers = [
        await callFhir(admin, 'POST', type ? `${type}/${name}` : name),
        ...(type ? [await callFhir(admin, 'POST', `${type}/x/${name}`)] : []),
      ];
      const runs = answers.some(({ status, body }) => status !== 404 || body.issue[0].code !== 'not-supported');
      expect([path, runs]).toEqual([path, listed.includes(path)]);
    }
  });

  test('lists a membership as readable and not writable', async () => {
    const { resource } = (await callFhir(undefined, 'GET', 'metadata')).body.rest[0];
    const membership = resource.find(({ type }: { type: string }) => type === 'ProjectMembership');
    const codes = membership.interaction.map(({ code }: { code: string }) => code);
    expect(codes).toEqual(['read', 'vread', 'history-instance', 'search-type', 'history-type']);
    expect(resource.some(({ type }: { type: string }) => type === 'JsonWebKey')).toBe(false);
  });
});

test('the SMART configuration is open', async () => {
  const answer = await callFhir(undefined, 'GET', '.well-known/smart-configuration');
  expect([answer.status, answer.body.token_endpoint]).toEqual([200, 'http://localhost:3999/oauth2/token']);
});

describe('what is not there', () => {
  test.each([
    ['GET', '', 400],
    ['DELETE', '', 405],
    ['POST', '_search', 400],
    ['POST', 'metadata', 405],
    ['POST', '$graphql', 404],
    ['GET', 'Patient/1/Observation', 404],
    ['GET', 'Patient/1/_history/1/more', 404],
    ['POST', 'Patient/1', 405],
    ['POST', 'Patient/1/_history', 405],
    ['POST', 'Patient/$nosuch', 404],
    ['POST', 'Patient/%24nosuch', 404],
    ['GET', 'Patient/1/$nosuch', 404],
    ['POST', 'Patient/$toString', 404],
    ['GET', 'Patient/$validate', 405],
  ])('%s %s answers %i as an outcome', async (method, path, status) => {
    const answer = await callFhir(admin, method, path);
    expect([answer.status, answer.body.resourceType]).toEqual([status, 'OperationOutcome']);
    if (status === 405) expect(answer.headers.get('allow')).toBeTruthy();
  });
});

test.each(['Patient', 'Patient/1', 'Patient/1/_history', 'Patient/1/_history/1', 'Patient/$validate'])(
  '%s answers a preflight',
  async (path) => {
    const headers = { origin: 'https://app.example', 'access-control-request-method': 'GET' };
    const answer = await callFhir(undefined, 'OPTIONS', path, { headers });
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([204, 'https://app.example']);
  },
);
