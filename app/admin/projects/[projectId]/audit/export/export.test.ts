import { readFileSync } from 'node:fs';
import { sql } from 'drizzle-orm';
import papa from 'papaparse';
import { beforeAll, describe, expect, test } from 'vitest';
import { exportAudit } from '#lib/domain/audit/export-audit.ts';
import { validateResource } from '#lib/protocol/fhir/validate/validate.ts';
import { callApi, expectOutcome } from '#lib/testing/call-api.ts';
import { makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createWorld, type World } from '#lib/testing/world.ts';

let world: World;

beforeAll(async () => {
  world = await createWorld();
  await world.invite({ firstName: '=HYPERLINK("http://x")', lastName: 'A, "b"' });
  await world.call('POST', '/client', { body: { name: 'Lab feed' } });
});

const take = (query: string) => world.call('GET', `/audit/export?${query}`);

describe('GET /admin/projects/[projectId]/audit/export', () => {
  test('as CSV: the rows of the list with names, no cell of which a spreadsheet would run', async () => {
    const answer = await take('format=csv');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="audit.csv"');
    const { data, errors } = papa.parse<Record<string, string>>(answer.text, { header: true, skipEmptyLines: true });
    expect(errors).toEqual([]);
    const listed = (await world.call('GET', '/audit?_count=200')).body.rows;
    expect(data.map(({ id }) => id)).toEqual(listed.map(({ id }: { id: string }) => id));
    expect(data.find(({ action }) => action === 'client.create')).toMatchObject({
      'actor name': 'Olga Owner',
      'target name': 'Lab feed',
      outcome: 'success',
    });
    expect(answer.text).toContain(`"'=HYPERLINK(""http://x"") A, ""b"""`);
  });

  test('as NDJSON: an AuditEvent a line, each valid', async () => {
    const answer = await take('format=ndjson&action=membership.*');
    expect(answer.headers.get('content-type')).toBe('application/fhir+ndjson; charset=utf-8');
    const events = answer.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const listed = (await world.call('GET', '/audit?action=membership.*')).body.rows;
    expect(events.map(({ id }) => id)).toEqual(listed.map(({ id }: { id: string }) => id));
    expect(events.flatMap((event) => validateResource(event, 'AuditEvent'))).toEqual([]);
  });

  test('the example of docs/audit.md runs', async () => {
    const [, query] = /audit\/export\?(\S+)/.exec(readFileSync('docs/audit.md', 'utf8').split('```http')[2]!)!;
    expect((await take(query!)).status).toBe(200);
  });

  test('is told in the log, with what was asked for; to ask by HEAD takes nothing', async () => {
    await take('format=csv&outcome=failure');
    await world.call('HEAD', '/audit/export?format=ndjson');
    const { rows } = (await world.call('GET', '/audit?action=audit.export&_count=1')).body;
    expect(rows[0]).toMatchObject({ after: { format: 'csv', outcome: 'failure' }, actor: { display: 'Olga Owner' } });
  });

  test('only for administrators, of their own project; what is wrong is named', async () => {
    const project = await makeFhirProject();
    const path = `/admin/projects/${project.projectId}/audit/export?format=csv`;
    const auditor = await project.member([{ resourceType: 'AuditEvent' }]);
    expect((await callApi(auditor.authorization, 'GET', path)).status).toBe(403);
    expect((await callApi(undefined, 'GET', path)).status).toBe(401);
    expect((await callApi(world.owner.bearer, 'GET', path)).status).toBe(403);
    expectOutcome(await take(''), 400, 'format');
    expectOutcome(await take('format=xml'), 400, 'format');
    expectOutcome(await take('format=csv&from=yesterday'), 400, 'from');
    expectOutcome(await take('format=csv&from=0000-01-01T00:00:00Z'), 400, 'from');
    expectOutcome(await take('format=csv&_count=3'), 400);
    expectOutcome(await take('format=csv&actor=%00'), 400, 'actor');
  });
});

test('100,000 rows go through in pieces, each made when it is asked for, and whoever goes away ends it', async () => {
  const { projectId } = await createWorld();
  await db().execute(sql`
    insert into audit_event (project_id, id, at, action, target, request_id)
    select ${projectId}, gen_random_uuid(), now() - n * interval '1 millisecond', 'resource.read', 'Patient/' || n, 'r' from generate_series(1, 100000) n`);
  const ctx = { requestId: 'r', remoteAddress: '', userAgent: '', actor: { admin: true, projectId } as never };
  let [rows, largest] = [0, 0];
  for await (const piece of await exportAudit(ctx, projectId, { format: 'ndjson' })) {
    rows += piece.split('\n').length - 1;
    largest = Math.max(largest, piece.length);
  }
  expect(rows).toBeGreaterThanOrEqual(100_000);
  expect(largest).toBeLessThan(2 * 1024 * 1024);
  const pieces = await exportAudit(ctx, projectId, { format: 'csv' });
  await pieces.next();
  await pieces.return(undefined);
  expect((await pieces.next()).done).toBe(true);
});
