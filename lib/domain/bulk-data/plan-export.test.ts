import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { callFhir } from '#lib/testing/fhir/call-fhir.ts';
import { complete, start, statusOf } from '#lib/testing/fhir/exports.ts';
import { makeFhirProject } from '#lib/testing/fhir/fhir-project.ts';
import { db } from '#lib/testing/set-up/own-db.ts';

test('an export waits for what was being changed when it was asked for', async () => {
  const { admin } = await makeFhirProject();
  const started = await db().transaction(async (tx) => {
    await tx.execute(sql`select pg_current_xact_id()`);
    const answer = await start(admin, '$export?_type=Patient');
    const { status, headers } = await callFhir(admin, 'GET', statusOf(answer));
    expect([status, headers.get('x-progress')]).toEqual([202, 'waiting for changes that are being made']);
    return answer;
  });
  expect(await complete(admin, started)).toMatchObject({ error: [] });
});
