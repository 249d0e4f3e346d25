import { expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { runText } from '#lib/infra/db/client.ts';
import type { RunResult } from '#lib/infra/sandbox/host/run-job.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { createWorld } from '#lib/testing/world.ts';
import { type BotJob, runBotJob } from './run-bot-job.ts';

const CUT: RunResult = {
  ok: false,
  reason: 'cancelled',
  message: 'The server stops',
  logs: [],
  calls: [],
  durationMs: 1,
};

async function aJob(result: () => RunResult) {
  const { projectId } = await createWorld();
  const id = newId();
  const job: BotJob = {
    key: id,
    attempts: 1,
    burial: { projectId, id, trigger: 'cron', focus: 'x', job: { name: 'event', data: {} } },
    findBot: async () => newId(),
    given: { event: { kind: 'json', text: '{}' }, contentType: 'application/json', rawText: '{}' } as BotJob['given'],
    run: async () => result(),
  };
  const buried = async () =>
    (await runText(db(), 'select id from dead_letter where project_id = $1::uuid', [projectId])).length;
  return { job, buried };
}

test('what a stopping server cuts off is tried again, however often it was tried before', async () => {
  const stop = new AbortController();
  const { job, buried } = await aJob(() => {
    stop.abort();
    return CUT;
  });
  await expect(runBotJob(job, 7, stop.signal)).rejects.toThrow('The run was cancelled');
  expect(await buried()).toBe(0);
});

test('what takes its process with it is given up at the fifth time', async () => {
  const { job, buried } = await aJob(() => ({ ...CUT, reason: 'crashed', message: 'gone' }));
  await expect(runBotJob(job, 4, new AbortController().signal)).rejects.toThrow('gone');
  expect(await buried()).toBe(0);
  await runBotJob(job, 5, new AbortController().signal);
  expect(await buried()).toBe(1);
});
