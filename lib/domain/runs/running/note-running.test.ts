import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { newId } from '#lib/base/ids.ts';
import { db, runText } from '#lib/infra/db/client.ts';
import { noteRunning } from './note-running.ts';

const SHOWN = 'select id from bot_running where project_id = $1::uuid and ends_by > now()';

test('a run that goes on for longer than it was to, since it waited for a process, is shown until it ends', async () => {
  const projectId = newId();
  const facts = { botId: newId(), version: 1, trigger: 'http', requester: 'Practitioner/1', requestId: 'r' };
  // Over two seconds after its begin, with all that is added to it.
  const end = noteRunning({ projectId, ...facts, timeoutMs: -58_000 }, () => undefined);
  const shown = () => runText<{ id: string }>(db(), SHOWN, [projectId]);
  await expect.poll(shown).toHaveLength(1);
  await pause(2500);
  expect(await shown()).toHaveLength(1);
  end();
  await expect.poll(shown).toEqual([]);
});
