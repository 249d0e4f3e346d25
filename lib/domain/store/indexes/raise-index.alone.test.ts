import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { keepProgress, readProgress } from '#lib/infra/db/upkeep.ts';
import { INDEX_LEVEL, LEVEL_NAME } from '#lib/protocol/fhir/index/format.ts';
import { callApi } from '#lib/testing/call-api.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createWorld } from '#lib/testing/world.ts';
import { reindex } from '../reindex.ts';
import { forgetRaised, raiseIndex } from './raise-index.ts';

test('what the release before has stored is indexed anew, and until then nobody is told that there is none', async () => {
  const { owner } = await createWorld();
  const ask = (query: string) => callApi(owner.bearer, 'GET', `/fhir/R4/Observation?${query}`);
  const body = {
    resourceType: 'Observation',
    status: 'final',
    code: { coding: [{ code: 'x' }], text: 'Weight' },
    valueQuantity: { value: 5 },
  };
  for (let n = 0; n < 3; n += 1) await callApi(owner.bearer, 'POST', '/fhir/R4/Observation', { body });
  const searches = [
    'value-quantity=5',
    'code-value-quantity=x$5',
    'value-quantity:missing=false',
    '_sort=value-quantity',
    'code:text=weig',
  ];
  for (const query of searches) expect([query, (await ask(query)).body.entry.length]).toEqual([query, 3]);

  // As the release before left it, with a run of its own that an operator had stopped near the end.
  await db().execute(sql`delete from ix_quantity`);
  await db().execute(sql`delete from ix_string`);
  await db().execute(sql`delete from upkeep where name = ${LEVEL_NAME}`);
  await reindex({}, { stopped: AbortSignal.abort() });
  const at = { projectId: 'ffffffff-ffff-4fff-bfff-ffffffffffff', typeId: 1, id: '' };
  await keepProgress('reindex all all', { looked: 1, changed: 0, overtaken: 0, refused: 0, at });
  forgetRaised();
  for (const query of searches) {
    const { status, body, headers } = await ask(query);
    expect([query, status, headers.get('retry-after')]).toEqual([query, 503, '60']);
    expect(body.issue[0].code).toBe('transient');
  }
  expect((await ask('code=x')).body.entry.length).toBe(3);

  // Stopped at once, and begun again: by another process, or this one after a restart.
  await raiseIndex(AbortSignal.abort());
  expect(await readProgress(LEVEL_NAME)).toEqual({ level: 1, begun: INDEX_LEVEL });
  expect((await ask('value-quantity=5')).status).toBe(503);
  await raiseIndex();
  for (const query of searches) expect([query, (await ask(query)).body.entry.length]).toEqual([query, 3]);
  await db().execute(sql`delete from ix_quantity`);
  await raiseIndex();
  expect((await ask('value-quantity=5')).body.entry ?? [], 'once is enough').toEqual([]);
});

test('what an older level has is found while a newer one is being made', async () => {
  const { owner } = await createWorld();
  const ask = (query: string) => callApi(owner.bearer, 'GET', `/fhir/R4/Observation?${query}`);
  await keepProgress(LEVEL_NAME, { level: 2 });
  forgetRaised();
  for (const query of ['value-quantity=5', '_sort=value-quantity', 'identifier:of-type=a|b|c', 'code=x'])
    expect([query, (await ask(query)).status]).toEqual([query, 200]);
  expect((await ask('code:text=x')).status).toBe(503);
  expect((await ask('subject:Patient.identifier:text=x')).status).toBe(503);
  const inBundles = ['composition=Composition/x', 'message:missing=false'].map((query) => `/fhir/R4/Bundle?${query}`);
  for (const path of inBundles) expect((await callApi(owner.bearer, 'GET', path)).status).toBe(503);
  await raiseIndex();
  expect((await ask('code:text=x')).status).toBe(200);
  for (const path of inBundles) expect((await callApi(owner.bearer, 'GET', path)).status).toBe(200);
});
