import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { flushReads } from '#lib/domain/audit/note-read.ts';
import { flushFailures } from '#lib/domain/sign-in/note-failure.ts';
import { auditEvent } from '#lib/infra/db/schema/operations.ts';
import { actionsWith } from '#lib/protocol/audit/event-codes.ts';
import { validateResource } from '#lib/protocol/fhir/validate/validate.ts';
import { callApi } from '#lib/testing/call-api.ts';
import { callAuth } from '#lib/testing/call-auth.ts';
import { callFhir, expectIssue } from '#lib/testing/fhir/call-fhir.ts';
import { type Caller, type FhirProject, makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';
import { makeOwner, signIn } from '#lib/testing/people.ts';
import { db } from '#lib/testing/set-up/own-db.ts';

type Event = {
  id: string;
  subtype: { code: string }[];
  recorded: string;
  agent: { who?: { reference: string }; altId?: string }[];
  entity: { what?: { reference: string } }[];
};

let project: FhirProject;
let admin: Caller;
let patient: string;

beforeAll(async () => {
  project = await makeFhirProject();
  admin = project.admin;
  const body = { resourceType: 'Patient', name: [{ family: 'Secret' }], birthDate: '1970-01-02' };
  const made = await callFhir(admin, 'POST', 'Patient', { body });
  patient = `Patient/${made.body.id}`;
  await callFhir(admin, 'PUT', patient, { body: { ...made.body, birthDate: '1971-01-02' } });
});

async function find(query: string, caller = admin): Promise<Event[]> {
  const answer = await callFhir(caller, 'GET', `AuditEvent?${query}`);
  expect(answer.status, answer.text).toBe(200);
  return (answer.body.entry ?? []).map(({ resource }: { resource: Event }) => resource);
}

const actionOf = (event: Event) => event.subtype.at(-1)?.code;

describe('GET AuditEvent', () => {
  test('each change is a valid AuditEvent that names who, what and when, and nothing of what it holds', async () => {
    const [update, create] = await find(`entity=${patient}`);
    expect(update).toMatchObject({
      resourceType: 'AuditEvent',
      meta: { versionId: '1' },
      type: { system: 'http://terminology.hl7.org/CodeSystem/audit-event-type', code: 'rest' },
      subtype: [{ code: 'update' }, { system: 'urn:gatehouse:audit-action', code: 'resource.update' }],
      action: 'U',
      outcome: '0',
      agent: [{ who: { reference: admin.profile }, altId: `ProjectMembership/${admin.membershipId}`, requestor: true }],
      source: { observer: { display: 'Gatehouse' } },
      entity: [{ what: { reference: patient }, type: { code: 'Patient' } }],
    });
    expect(actionOf(create!)).toBe('resource.create');
    expect(JSON.stringify([update, create])).not.toMatch(/Secret|\b197[01]-\d\d-\d\d/);
  });

  test('whatever stands in the log comes out as R4 has it', async () => {
    const other = await makeFhirProject();
    const row = { projectId: other.projectId, target: 'User/unknown', requestId: 'r', remoteAddress: '10.0.0.1' };
    const odd = [
      { target: 'Patient', onBehalfOf: 'Practitioner/1', actor: 'Practitioner/2', outcome: 8 },
      { target: 'Project/1', actor: null, remoteAddress: null, outcome: 12 },
    ];
    const rows = [...actionsWith(() => true), 'from.the.future'].map((action) => ({ ...row, action }));
    await db()
      .insert(auditEvent)
      .values(
        [...rows, ...odd.map((each) => ({ ...row, ...each, action: 'resource.search' }))].map((each) => ({
          ...each,
          id: newId(),
        })),
      );
    const events = await find('_count=1000', other.admin);
    expect(events.length).toBeGreaterThan(rows.length);
    expect(events.flatMap((event) => validateResource(event, 'AuditEvent'))).toEqual([]);
  });

  test('is found by date, agent, entity, patient, action, outcome, type, subtype, address and id', async () => {
    const [update] = await find(`entity=${patient}&_count=1`);
    const both = ['resource.update', 'resource.create'];
    const found: [string, string[]][] = [
      [`patient=${patient}`, both],
      [`patient=${patient.slice(8)}`, both],
      [`entity=${patient}&action=C`, ['resource.create']],
      [`entity=${patient}&action=C,U`, both],
      [`entity=${patient}&subtype=resource.update`, ['resource.update']],
      [`entity=${patient}&subtype=http://hl7.org/fhir/restful-interaction|create`, ['resource.create']],
      [`entity=${patient}&type=rest`, both],
      [`entity=${patient}&type=http://dicom.nema.org/resources/ontology/DCM|110114`, []],
      [`entity=${patient}&outcome=0`, both],
      [`entity=${patient}&outcome=4,8`, []],
      [`entity=${patient}&agent=${admin.profile}`, both],
      [`entity=${patient}&agent=Practitioner/${newId()}`, []],
      [`entity=${patient}&address=192.0.2.1`, []],
      [`_id=${update!.id}`, ['resource.update']],
      [`_id=nonsense`, []],
      [`entity=${patient}&entity-type=Patient`, both],
      [`entity=${patient}&entity-type=http://hl7.org/fhir/resource-types|Patient`, both],
      [`entity=${patient}&entity-type=Bot`, []],
      [`entity=${patient}&entity-role=1,4`, []],
      [`entity=${patient}&entity-name=x`, []],
      [`entity=${patient}&agent-role=x`, []],
      [`entity=${patient}&agent-name=gate`, []],
      [`entity=${patient}&policy=urn:x`, []],
      [`entity=${patient}&site=http://localhost:3999`, both],
      [`entity=${patient}&site=elsewhere`, []],
      [`entity=${patient}&source=Bot/${newId()}`, []],
      [`entity=${patient}&altid=${update!.agent[0]!.altId}`, both],
      [`entity=${patient}&altid=ProjectMembership/${newId()},nonsense`, []],
      [`entity=${patient}&date=ge2020&date=lt2999-12-31`, both],
      [`entity=${patient}&date=${update!.recorded}&_id=${update!.id}`, ['resource.update']],
      [`entity=${patient}&date=ne2020,lt1999`, both],
      [`entity=${patient}&_lastUpdated=lt2020`, []],
      [`entity=${patient}&date=lt0001`, []],
      [`entity=${patient}&date=gt9999`, []],
      [`entity=${patient}&type=nonsense`, []],
    ];
    for (const [query, expected] of found)
      expect([query, (await find(query)).map(actionOf)]).toEqual([query, expected]);
  });

  test('a run is found by the bot that tells of it and by what it was given; what the platform does by itself by its name', async () => {
    const other = await makeFhirProject();
    const [bot, given, nobody] = [`Bot/${newId()}`, `Patient/${newId()}`, `Project/${other.projectId}`];
    const row = { projectId: other.projectId, requestId: 'r', remoteAddress: null };
    const values = [
      { ...row, id: newId(), action: 'bot.execute', target: bot, actor: bot, after: { input: given } },
      { ...row, id: newId(), action: 'bot.execute', target: bot, actor: bot, after: { input: 'Task/1' } },
      { ...row, id: newId(), action: 'resource.update', target: nobody, actor: null },
    ];
    await db().insert(auditEvent).values(values);
    const ids = (...of: number[]) => of.map((at) => values[at]!.id).toSorted();
    const found: [string, string[]][] = [
      [`source=${bot}`, ids(0, 1)],
      [`entity=${given}`, ids(0)],
      [`patient=${given}`, ids(0)],
      ['entity-role=1', ids(0)],
      ['entity-role=http://terminology.hl7.org/CodeSystem/object-role|4', ids(1)],
      ['entity-type=Patient', ids(0)],
      [`entity-type=Bot`, ids(0, 1)],
      [`agent-name=gatehouse&entity=${nobody}&subtype=resource.update`, ids(2)],
    ];
    for (const [query, expected] of found)
      expect([query, (await find(query, other.admin)).map(({ id }) => id).toSorted()]).toEqual([query, expected]);
  });

  test('pages by cursor, each event once, and counts when it is asked to', async () => {
    const seen: string[] = [];
    let path: string | undefined = 'AuditEvent?_count=2&_sort=-date&action=C';
    while (path) {
      const { body } = await callFhir(admin, 'GET', path);
      seen.push(...body.entry.map(({ resource }: { resource: Event }) => resource.id));
      const next = body.link.find(({ relation }: { relation: string }) => relation === 'next');
      path = next && new URL(next.url).pathname.slice('/fhir/R4/'.length) + new URL(next.url).search;
    }
    const all = await find('_count=1000&action=C');
    expect(seen).toEqual(all.map(({ id }) => id));
    for (const query of ['_total=accurate', '_summary=count', '_count=0']) {
      const { body } = await callFhir(admin, 'GET', `AuditEvent?action=C&${query}`);
      expect([query, body.total]).toEqual([query, all.length]);
    }
  });

  test('_elements and _summary leave what must stand', async () => {
    const [event] = await find('_count=1&_elements=action');
    expect(Object.keys(event!).sort()).toEqual(
      ['action', 'agent', 'id', 'meta', 'recorded', 'resourceType', 'source', 'type'].sort(),
    );
  });

  test('the example of docs/audit.md runs', async () => {
    const page = readFileSync('docs/audit.md', 'utf8');
    const [, path] = /GET \/fhir\/R4\/(AuditEvent\?\S+)/.exec(page)!;
    expect((await callFhir(admin, 'GET', path!)).status).toBe(200);
  });

  test.each([
    ['_sort=date', '_sort'],
    ['_offset=3', '_offset'],
    ['_include=AuditEvent:agent', '_include'],
    ['_cursor=x', '_cursor'],
    ['nosuch=x', 'nosuch'],
    ['agent:missing=true', 'agent:missing'],
    ['agent=%00', 'agent'],
    ['entity=a b', 'entity'],
    ['date=yesterday', 'date'],
    ['action=', 'action'],
    [`_id=${'x,'.repeat(60)}x`, '_id'],
    ['_total=accurate&_total=none', '_total'],
  ])('400 for %s names it', async (query, name) => {
    expectIssue(await callFhir(admin, 'GET', `AuditEvent?${query}`), 400, 'invalid', name);
  });

  test('what is long, lone or of any year is found or refused, never a fault', async () => {
    const queries = [
      'agent=%ED%A0%80',
      `entity=Patient/${'x'.repeat(5000)}`,
      'date=0000',
      'date=9999-12-31',
      'outcome=99999',
      'outcome=99',
      'address=%ED%A0%80',
      `_id=${newId()}|x`,
    ];
    for (const query of queries) {
      const { status } = await callFhir(admin, 'GET', `AuditEvent?${query}`);
      expect([query.slice(0, 40), [200, 400].includes(status)]).toEqual([query.slice(0, 40), true]);
    }
    const many = Array.from({ length: 31 }, () => 'action=C').join('&');
    expect((await callFhir(admin, 'GET', `AuditEvent?${many}`)).status).toBe(400);
  });
});

describe('one AuditEvent', () => {
  test('is read by its id, has one version, and is nobody’s to write', async () => {
    const [event] = await find(`entity=${patient}&_count=1`);
    const path = `AuditEvent/${event!.id}`;
    expect((await callFhir(admin, 'GET', path)).body).toEqual(event);
    expect((await callFhir(admin, 'GET', `${path}/_history/1`)).body).toEqual(event);
    const history = await callFhir(admin, 'GET', `${path}/_history`);
    expect(history.body).toMatchObject({ total: 1, entry: [{ resource: event, request: { method: 'POST' } }] });
    for (const missing of [`${path}/_history/2`, `AuditEvent/${newId()}`, 'AuditEvent/x']) {
      expect([missing, (await callFhir(admin, 'GET', missing)).status]).toEqual([missing, 404]);
    }
    const body = { ...event, outcome: '12' };
    const writes = [
      await callFhir(admin, 'POST', 'AuditEvent', { body }),
      await callFhir(admin, 'PUT', path, { body }),
      await callFhir(admin, 'DELETE', path),
      await callFhir(admin, 'DELETE', `AuditEvent?_id=${event!.id}`),
    ];
    expect(writes.map(({ status }) => status)).toEqual([405, 405, 405, 405]);
    expect((await callFhir(admin, 'GET', path)).body).toEqual(event);
  });

  test('of another project is not there, nor does a search bring it', async () => {
    const [event] = await find(`entity=${patient}&_count=1`);
    const other = await makeFhirProject();
    expect((await callFhir(other.admin, 'GET', `AuditEvent/${event!.id}`)).status).toBe(404);
    expect(await find(`_id=${event!.id}`, other.admin)).toEqual([]);
    expect(await find(`entity=${patient}`, other.admin)).toEqual([]);
    expectIssue(await callFhir(admin, 'GET', 'Patient?_revinclude=AuditEvent:entity'), 400, 'invalid', '_revinclude');
  });
});

describe('who may read them', () => {
  test('administrators, and a member whose policy names the type; no other, also not by *', async () => {
    const [event] = await find(`entity=${patient}&_count=1`);
    const members = [await project.member(), await project.member([{ resourceType: '*' }])];
    for (const member of members) {
      expect((await callFhir(member, 'GET', 'AuditEvent')).status).toBe(403);
      expect((await callFhir(member, 'GET', `AuditEvent/${event!.id}`)).status).toBe(403);
      expect((await callFhir(member, 'POST', 'AuditEvent', { body: {} })).status).toBe(403);
    }
    expect((await callFhir(undefined, 'GET', 'AuditEvent')).status).toBe(401);
    const auditor = await project.member([{ resourceType: 'AuditEvent', readonly: true }]);
    expect((await find(`entity=${patient}`, auditor)).length).toBe(2);
    const limited = await project.member([{ resourceType: 'Patient' }], { admin: true });
    expect((await find(`entity=${patient}`, limited)).length).toBe(2);
  });

  test('criteria are held, and who sees a part may not count the whole', async () => {
    const other = (await callFhir(admin, 'POST', 'Patient', { body: { resourceType: 'Patient' } })).body.id;
    const rules = [{ resourceType: 'AuditEvent', criteria: `AuditEvent?entity=${patient}`, readonly: true }];
    const limited = await project.member(rules);
    expect((await find('', limited)).map(actionOf)).toEqual(['resource.update', 'resource.create']);
    expect(await find(`entity=Patient/${other}`, limited)).toEqual([]);
    const [hidden] = await find(`entity=Patient/${other}`);
    expect((await callFhir(limited, 'GET', `AuditEvent/${hidden!.id}`)).status).toBe(404);
    expectIssue(await callFhir(limited, 'GET', 'AuditEvent?_total=accurate'), 400, 'invalid', '_total');
    const { body } = await callFhir(limited, 'GET', 'AuditEvent?_count=1');
    const next = body.link.find(({ relation }: { relation: string }) => relation === 'next').url;
    const [second] = (await callFhir(limited, 'GET', next.slice(next.indexOf('AuditEvent')))).body.entry;
    expect(actionOf(second.resource)).toBe('resource.create');
  });
});

describe('sign-ins', () => {
  test('are DCM 110114, 110122 and 110123, with who signs in; one that fails has outcome 4 or 8, and administrators alone see it', async () => {
    const owner = await makeOwner();
    const { access } = await signIn(owner);
    const bearer = `Bearer ${access}`;
    const events = async (query: string, authorization = bearer) => {
      const { body, status } = await callApi(authorization, 'GET', `/fhir/R4/AuditEvent?${query}`);
      return status === 200 ? (body.entry ?? []).map(({ resource }: { resource: Event }) => resource) : status;
    };
    const who = `User/${owner.userId}`;
    const [granted] = await events('subtype=login.grant');
    expect(granted).toMatchObject({ type: { code: '110114' }, outcome: '0', entity: [{ what: { reference: who } }] });
    const signedIn = await events(`subtype=110122&type=110114&agent=${who}`);
    expect(signedIn.map(actionOf)).toContain('login.password');
    for (let n = 0; n < 12; n += 1) {
      await callAuth('POST', '/auth/login', {
        body: { email: owner.email, password: 'Wrong-Hammock-41' },
        remote: '10.9.1.1',
      });
    }
    await flushFailures();
    const failed: (Event & { outcome: string })[] = await events('outcome=4,8&subtype=login.failed');
    expect(failed.length).toBeGreaterThan(0);
    for (const event of failed) expect(event.agent[0]?.who?.reference).toBe(who);
    expect(failed.map(({ outcome }) => outcome)).toContain('8');
    const rule = [{ resourceType: 'AuditEvent', readonly: true }];
    const auditor = await project.member(rule);
    await db().insert(auditEvent).values({
      projectId: project.projectId,
      id: newId(),
      action: 'login.failed',
      target: who,
      outcome: 4,
      requestId: '',
    });
    expect((await find('subtype=login.failed', auditor)).length).toBe(0);
    expect((await find('subtype=login.failed')).length).toBe(1);
    const [hidden] = await find('subtype=login.failed');
    expect((await callFhir(auditor, 'GET', `AuditEvent/${hidden!.id}`)).status).toBe(404);
  });

  test('reads are there where the project keeps them, of the log itself too', async () => {
    const setting = [{ name: 'auditReads', valueBoolean: true }];
    const set = await callApi(admin.authorization, 'POST', `/admin/projects/${project.projectId}/settings`, {
      body: setting,
    });
    expect(set.status).toBe(200);
    await callFhir(admin, 'GET', patient);
    await find('');
    await flushReads();
    const [read] = await find(`entity=${patient}&action=R`);
    expect(read).toMatchObject({
      subtype: [{ code: 'read' }, { code: 'resource.read' }],
      agent: [{ who: { reference: admin.profile } }],
    });
    expect((await find('subtype=resource.search')).map(({ entity }) => JSON.stringify(entity)).join()).toContain(
      '"AuditEvent"',
    );
  });
});
