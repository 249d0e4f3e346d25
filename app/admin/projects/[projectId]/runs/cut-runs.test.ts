import { afterAll, expect, test } from 'vitest';
import type { Actor } from '#lib/domain/access/context.ts';
import { tellAlerts } from '#lib/domain/run-log/alerts/tell-alerts.ts';
import { flushRuns, recordRun } from '#lib/domain/runs/record/record-run.ts';
import { stopRunner } from '#lib/domain/runs/runner.ts';
import { runText } from '#lib/infra/db/client.ts';
import { CANCELLED } from '#lib/infra/sandbox/host/runs-in-flight.ts';
import { deployedBot } from '#lib/testing/bots.ts';
import { callApi } from '#lib/testing/call-api.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createWorld } from '#lib/testing/world.ts';

afterAll(stopRunner);

test('a run that the stop of a server cut off stands in the list, and is nowhere a failure of its bot', async () => {
  const world = await createWorld();
  const { projectId } = world;
  const bot = await deployedBot(world, 'export const handler = async () => 1;', { name: 'Cut' });
  const failure = { percent: 10, hours: 1, minimum: 1 };
  expect((await world.call('PUT', `/bots/${bot}/alert`, { body: { failure } })).status).toBe(200);
  await callApi(world.owner.bearer, 'POST', `/fhir/R4/Bot/${bot}/$execute`, { body: {} });
  // Masked, it would be told apart no more.
  for (const name of ['Run', 'x'.repeat(300_000)]) {
    await recordRun({
      ...{ ctx: { requestId: 'r', remoteAddress: '', userAgent: '' }, botId: bot, version: 1, isKept: true },
      ...{ startedAt: new Date(), trigger: 'subscription', traceId: 'r' },
      caller: { projectId, profile: `Bot/${bot}` } as Actor,
      input: { kind: 'json', text: JSON.stringify({ resourceType: 'Patient', name: [{ family: name }] }) },
      result: { ok: false, reason: 'cancelled', message: CANCELLED, logs: [], calls: [], durationMs: 1 },
    });
  }
  await flushRuns();
  const { body: runs } = await world.call('GET', '/runs');
  expect(runs.rows).toMatchObject([{ message: CANCELLED }, { message: CANCELLED }, { status: 'ok' }]);
  expect((await world.call('GET', '/runs/errors')).body.groups).toEqual([]);
  expect((await world.call('GET', '/runs/figures')).body.total).toMatchObject({ runs: 1, failed: 0 });
  const { body: bots } = await world.call('GET', '/bots');
  expect(bots.rows).toMatchObject([{ failing: false, runs24h: 1, failed24h: 0, lastRun: { status: 'ok' } }]);
  const past = `update bot_alert set checked_at = checked_at - interval '2 minutes' where project_id = $1::uuid`;
  await runText(db(), past, [projectId]);
  await tellAlerts();
  expect((await world.call('GET', `/bots/${bot}/alert`)).body.failingSince).toBeNull();
});
