import { beforeAll, describe, expect, test } from 'vitest';
import type { AccessPolicyRule } from '#lib/protocol/fhir/types.ts';
import { callFhir } from '#lib/testing/fhir/call-fhir.ts';
import { type Caller, type FhirProject, makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';

let project: FhirProject;
let admin: Caller;

const must = (...expressions: string[]) =>
  expressions.map((expression) => ({ language: 'text/fhirpath' as const, expression }));
const observation = (status: string, more: object = {}) => ({
  resourceType: 'Observation',
  status,
  code: { text: 'x' },
  ...more,
});
const make = async (body: object) => (await callFhir(admin, 'POST', 'Observation', { body })).body;
const member = (...rules: AccessPolicyRule[]) => project.member(rules);

beforeAll(async () => {
  project = await makeFhirProject();
  admin = project.admin;
});

describe('a writeConstraint', () => {
  test('lets a change be made of which it is true, and no other: by PUT, PATCH and in a transaction', async () => {
    const nurse = await member({
      resourceType: 'Observation',
      writeConstraint: must(
        "%before.exists() implies %before.status != 'final'",
        "%after.status in ('preliminary' | 'final')",
      ),
    });
    const open = await make(observation('preliminary'));
    const done = await make(observation('final'));
    const put = (caller: Caller, body: { id: string }) => callFhir(caller, 'PUT', `Observation/${body.id}`, { body });
    const patch = (id: string, value: string) =>
      callFhir(nurse, 'PATCH', `Observation/${id}`, {
        body: JSON.stringify([{ op: 'replace', path: '/status', value }]),
        headers: { 'content-type': 'application/json-patch+json' },
      });
    const bundle = (body: { id: string }) => ({
      resourceType: 'Bundle',
      type: 'transaction',
      entry: [{ request: { method: 'PUT', url: `Observation/${body.id}` }, resource: body }],
    });
    expect((await put(nurse, { ...done, status: 'preliminary' })).status).toBe(403);
    expect((await patch(done.id, 'preliminary')).status).toBe(403);
    expect((await callFhir(nurse, 'POST', '', { body: bundle({ ...done, status: 'preliminary' }) })).status).toBe(403);
    expect((await patch(open.id, 'cancelled')).status).toBe(403);
    expect((await callFhir(nurse, 'GET', `Observation/${open.id}`)).body.meta.versionId).toBe('1');
    expect((await callFhir(nurse, 'POST', '', { body: bundle({ ...open, method: { text: 'm' } }) })).status).toBe(200);
    expect((await put(nurse, { ...open, status: 'final' })).status).toBe(200);
    expect((await put(nurse, { ...open, status: 'preliminary' })).status).toBe(403);
  });

  test('is asked of what is made, which has no %before', async () => {
    const nurse = await member({
      resourceType: 'Observation',
      writeConstraint: must("%before.empty() and status = 'preliminary'"),
    });
    expect((await callFhir(nurse, 'POST', 'Observation', { body: observation('preliminary') })).status).toBe(201);
    expect((await callFhir(nurse, 'POST', 'Observation', { body: observation('final') })).status).toBe(403);
    const entry = [{ request: { method: 'POST', url: 'Observation' }, resource: observation('final') }];
    const answer = await callFhir(nurse, 'POST', '', { body: { resourceType: 'Bundle', type: 'transaction', entry } });
    expect(answer.status).toBe(403);
  });

  test('speaks of parameters as of texts, which are never a part of it', async () => {
    const nurse = await member({
      resourceType: 'Observation',
      writeConstraint: must('performer.reference = %profile'),
    });
    const by = (reference: string) =>
      callFhir(nurse, 'POST', 'Observation', { body: observation('final', { performer: [{ reference }] }) });
    expect((await by('Practitioner/other')).status).toBe(403);
    expect((await by("' or true or '")).status).not.toBe(201);
    const mine = await project.member([
      {
        resourceType: 'Observation',
        writeConstraint: must('%profile.startsWith("x") or performer.exists()'.replaceAll('"', "'")),
      },
    ]);
    expect((await callFhir(mine, 'POST', 'Observation', { body: observation('final') })).status).toBe(403);
  });

  test('of one rule takes nothing from another that lets the change be made', async () => {
    const nurse = await member(
      { resourceType: 'Observation', criteria: 'Observation?status=final', writeConstraint: must('false') },
      { resourceType: 'Observation', criteria: 'Observation?status=preliminary' },
    );
    expect((await callFhir(nurse, 'POST', 'Observation', { body: observation('preliminary') })).status).toBe(201);
    expect((await callFhir(nurse, 'POST', 'Observation', { body: observation('final') })).status).toBe(403);
    const open = await make(observation('preliminary'));
    expect(
      (await callFhir(nurse, 'PUT', `Observation/${open.id}`, { body: { ...open, status: 'final' } })).status,
    ).toBe(403);
  });

  test('that comes to no answer is not true', async () => {
    const nurse = await member({ resourceType: 'Observation', writeConstraint: must('method.coding.code = 1') });
    expect((await callFhir(nurse, 'POST', 'Observation', { body: observation('final') })).status).toBe(403);
  });

  test.each([
    [['status ='], 'writeConstraint[0]', 'no FHIRPath'],
    [['true', "'text'"], 'writeConstraint[1]', 'no FHIRPath'],
    [Array.from({ length: 21 }, () => 'true'), 'writeConstraint', 'at most 20'],
    [['x'.repeat(4001)], 'writeConstraint[0]', 'at most 4000'],
  ])('%j is refused when it is saved, with the field and the reason', async (expressions, field, reason) => {
    const resource = [{ resourceType: 'Observation', writeConstraint: must(...expressions) }];
    const answer = await callFhir(admin, 'POST', 'AccessPolicy', {
      body: { resourceType: 'AccessPolicy', name: 'x', resource },
    });
    expect([answer.status, answer.body.issue?.[0].expression]).toEqual([400, [`AccessPolicy.resource[0].${field}`]]);
    expect(answer.body.issue[0].details.text).toContain(reason);
  });
});

describe('an ipAccessRule', () => {
  const from = (caller: Caller, address: string) =>
    callFhir(caller, 'GET', 'Patient', { headers: { 'x-gatehouse-remote': address } }).then(({ status }) => status);
  /** A member of a policy with these, who reads patients. */
  const placed = (ipAccessRule: { value: string; action: 'allow' | 'block' }[]): Promise<Caller> =>
    project.member([{ resourceType: 'Patient' }], {}, { ipAccessRule });

  test('is asked of every request, the first that fits decides: networks, both families, mapped, the beginning of an address', async () => {
    const nurse = await placed([
      { value: '203.0.113.7', action: 'block' },
      { value: '203.0.113.0/24', action: 'allow' },
      { value: '2001:db8::/32', action: 'allow' },
      { value: '10.1.', action: 'allow' },
      { value: '*', action: 'block' },
    ]);
    expect(await from(nurse, '203.0.113.8')).toBe(200);
    expect(await from(nurse, '::ffff:203.0.113.8')).toBe(200);
    expect(await from(nurse, '2001:db8::9')).toBe(200);
    expect(await from(nurse, '10.1.200.3')).toBe(200);
    for (const address of [
      '203.0.113.7',
      '::ffff:203.0.113.7',
      '10.10.0.1',
      '2001:db9::1',
      '198.51.100.1',
      '',
      'nonsense',
    ]) {
      expect([address, await from(nurse, address)]).toEqual([address, 403]);
    }
  });

  test('that blocks some lets in all others', async () => {
    const nurse = await placed([{ value: '198.51.100.0/24', action: 'block' }]);
    expect([await from(nurse, '203.0.113.8'), await from(nurse, '198.51.100.1')]).toEqual([200, 403]);
  });

  test.each(['10.1', 'host', '10.1.0.0/33', '2001:db8::/129', ''])(
    'of %j is refused when it is saved',
    async (value) => {
      const body = { resourceType: 'AccessPolicy', name: 'x', ipAccessRule: [{ value, action: 'allow' }] };
      const answer = await callFhir(admin, 'POST', 'AccessPolicy', { body });
      expect(answer.status).toBe(400);
      expect(answer.body.issue[0].expression[0]).toContain('ipAccessRule[0].value');
    },
  );
});
