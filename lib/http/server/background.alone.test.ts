import { afterAll, beforeAll, expect, test } from 'vitest';
import { env } from '#lib/base/env.ts';
import { newId } from '#lib/base/ids.ts';
import type { Actor } from '#lib/domain/access/context.ts';
import { recordRun } from '#lib/domain/runs/record/record-run.ts';
import type { RunRecord } from '#lib/domain/runs/record/run-row.ts';
import { noteFailure } from '#lib/domain/sign-in/note-failure.ts';
import { db as programsDb } from '#lib/infra/db/client.ts';
import { botRun } from '#lib/infra/db/schema/bots.ts';
import { upkeep } from '#lib/infra/db/schema/operations.ts';
import { changeSettings } from '#lib/testing/change-settings.ts';
import { type DatabaseProxy, startDatabaseProxy } from '#lib/testing/servers/database-proxy.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { startBackground } from './background.ts';

const CTX = { requestId: 'r', remoteAddress: '192.0.2.1', userAgent: '' };

let proxy: DatabaseProxy;
let isMute = false;
let changeBack: () => void;

beforeAll(async () => {
  proxy = await startDatabaseProxy(env().DATABASE_URL, (message) => (isMute ? Buffer.alloc(0) : message));
  changeBack = changeSettings({ DATABASE_URL: proxy.url });
});

afterAll(async () => {
  changeBack();
  await proxy.close();
});

function record(botId: string): void {
  const caller = { projectId: newId(), profile: 'Practitioner/1' } as Actor;
  const result: RunRecord['result'] = {
    ok: true,
    value: { kind: 'null', text: '' },
    logs: [],
    calls: [],
    durationMs: 1,
  };
  const run = { ctx: CTX, botId, version: 1, caller, startedAt: new Date(), trigger: 'http' } as const;
  void recordRun({ ...run, input: null, isKept: true, traceId: 'r', result });
}

test('a database that answers nothing any more keeps nobody from ending', async () => {
  const stop = await startBackground();
  const botId = newId();
  record(botId);
  await expect.poll(async () => (await db().select().from(botRun)).map((run) => run.botId)).toContain(botId);
  isMute = true;
  // Each waits for an answer that will never come.
  record(newId());
  noteFailure(CTX, newId(), { projectId: undefined, isRefused: false });
  const asked = programsDb()
    .select()
    .from(upkeep)
    .execute()
    .catch((error: unknown) => error);
  await stop();
  expect(await asked).toMatchObject({ cause: { code: 'CONNECTION_DESTROYED' } });
});
