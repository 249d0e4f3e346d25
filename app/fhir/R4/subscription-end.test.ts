import { sql } from 'drizzle-orm';
import { afterEach, expect, test, vi } from 'vitest';
import { endOver } from '#lib/domain/subscriptions/end-over.ts';
import { callFhir } from '#lib/testing/fhir/call-fhir.ts';
import { makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';
import { db } from '#lib/testing/set-up/own-db.ts';

const HOUR_MS = 3_600_000;
const ctx = { requestId: 'test', remoteAddress: '', userAgent: '' };

afterEach(() => {
  vi.useRealTimers();
});

test('a subscription tells nothing after its end, and is off then, with a version and an audit row; others stay as they are', async () => {
  const { admin, projectId } = await makeFhirProject();
  const end = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();
  const make = async (more: object) => {
    const channel = { type: 'rest-hook', endpoint: 'https://example.com/hook' };
    const body = {
      resourceType: 'Subscription',
      status: 'requested',
      reason: 'test',
      criteria: 'Patient',
      channel,
      ...more,
    };
    const made = await callFhir(admin, 'POST', 'Subscription', { body });
    expect(made.status, made.text).toBe(201);
    return made.body.id as string;
  };
  const soon = await make({ end: end(1) });
  // The same instant, said in another zone.
  const zone = await make({ end: `${new Date(Date.now() + 15 * HOUR_MS).toISOString().slice(0, 19)}+14:00` });
  const later = await make({ end: end(30) });
  const never = await make({});
  const off = await make({ end: end(1), status: 'off' });
  const states = async () => {
    const all = await Promise.all(
      [soon, zone, later, never, off].map((id) => callFhir(admin, 'GET', `Subscription/${id}`)),
    );
    return all.map(({ body }) => `${body.status} ${body.meta.versionId}`);
  };
  const before = ['active 1', 'active 1', 'active 1', 'active 1', 'off 1'];
  await endOver(ctx);
  expect(await states()).toEqual(before);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2 * HOUR_MS });
  await callFhir(admin, 'POST', 'Patient', { body: { resourceType: 'Patient' } });
  const queued = await db().execute<{ id: string }>(
    sql`select data->>'subscriptionId' as id from pgboss.job where name = 'hook' and data->>'projectId' = ${projectId}`,
  );
  expect(queued.map(({ id }) => id).sort()).toEqual([later, never].sort());
  await endOver(ctx);
  const after = ['off 2', 'off 2', 'active 1', 'active 1', 'off 1'];
  expect(await states()).toEqual(after);
  await endOver(ctx);
  expect(await states()).toEqual(after);
  const [row] = await db().execute<{ n: number }>(
    sql`select count(*)::int as n from audit_event where project_id = ${projectId} and action = 'resource.update'`,
  );
  expect(row?.n).toBe(2);
});
