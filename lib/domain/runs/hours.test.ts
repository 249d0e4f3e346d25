import postgres from 'postgres';
import { afterAll, expect, test } from 'vitest';
import { env } from '#lib/base/env.ts';
import { newId } from '#lib/base/ids.ts';
import { runText } from '#lib/infra/db/client.ts';
import { CANCELLED } from '#lib/infra/sandbox/host/runs-in-flight.ts';
import { STOPPED } from '#lib/protocol/bots/runs/stopped.ts';
import { judge } from '#lib/testing/one-project/judge.ts';
import { db } from '#lib/testing/set-up/own-db.ts';
import { toMs } from '../bots/duration-slots.ts';
import { INSERT_RUNS } from './record/run-row.ts';

const HOUR_MS = 3_600_000;
const writers = [1, 2].map(() => postgres(env().DATABASE_URL, { max: 1, fetch_types: false }));
afterAll(() => Promise.all(writers.map((writer) => writer.end())));

type Hour = { bot_id: string; hour: string; runs: number; failed: number; slots: number[]; counts: number[] };

const hoursOf = (projectId: string) =>
  runText<Hour>(
    db(),
    'select bot_id, hour::text, runs, failed, to_json(slots) as slots, to_json(counts) as counts from bot_hour where project_id = $1 order by 1, 2',
    [projectId],
  );

type Run = ReturnType<typeof makeRun>;

function makeRun(projectId: string, botIds: string[]) {
  const among = <T>(values: readonly T[]) => values[Math.floor(Math.random() * values.length)]!;
  return {
    project_id: projectId,
    id: newId(),
    bot_id: among(botIds),
    trigger: 'http',
    status: among(['ok', 'ok', 'ok', 'failed', 'timeout']),
    started_at: new Date(Date.now() - Math.floor(Math.random() * 3 * HOUR_MS)),
    duration_ms: Math.floor(10 ** (Math.random() * 5)),
    request_id: 'r',
  };
}

const write = (writer: postgres.Sql, rows: Run[]) =>
  Promise.all(
    [...Map.groupBy(rows, ({ project_id }) => project_id)].map(([projectId, of]) =>
      writer.unsafe(INSERT_RUNS, [projectId, JSON.stringify(of), '[]'] as never[]),
    ),
  );

test('hours are what the runs come to, whoever wrote them at the same time, in batches that were told again', async () => {
  const [projects, botIds] = [
    [newId(), newId()],
    [newId(), newId(), newId()],
  ];
  const work = async (writer: postgres.Sql) => {
    for (let batch = 0; batch < 40; batch += 1) {
      const rows = Array.from({ length: 1 + (batch % 25) }, () => makeRun(projects[batch % 2]!, botIds));
      if (batch % 8 === 0)
        rows.push(...rows.slice(0, 3).map((row) => ({ ...row, project_id: projects[1]!, id: newId() })));
      if (batch % 5 === 0) await write(writer, [...rows, rows[0]!]);
      await write(writer, rows);
      if (batch % 7 === 0) await write(writer, rows);
    }
  };
  await Promise.all(writers.map(work));
  for (const projectId of projects) {
    const counted = await runText<Hour>(
      db(),
      `select bot_id, date_trunc('hour', started_at, 'UTC')::text as hour, count(*)::int as runs, (count(*) filter (where status <> 'ok'))::int as failed
       from bot_run where project_id = $1 group by 1, 2 order by 1, 2`,
      [projectId],
    );
    const hours = await hoursOf(projectId);
    expect(hours.map(({ slots, counts, ...hour }) => hour)).toEqual([...counted]);
    for (const { runs, counts } of hours) expect(counts.reduce((sum, count) => sum + count, 0)).toBe(runs);
  }
});

test('a length is read back to within some percent, short ones as they were, and an odd one costs nobody else the count', async () => {
  const [projectId, botId] = [newId(), newId()];
  const lengths = [-5, 0, 1, 2, 3, 5, 10, 19, 47, 500, 12_345, 900_000, 2_147_483_647];
  for (const duration_ms of lengths) {
    await write(writers[0]!, [{ ...makeRun(projectId, [botId]), duration_ms, started_at: new Date(0) }]);
  }
  const [hour] = await hoursOf(projectId);
  const read = hour!.slots.flatMap((slot, at) => Array<number>(hour!.counts[at]!).fill(toMs(slot)));
  expect(read.length).toBe(lengths.length);
  for (const [at, length] of lengths.entries()) {
    if (length < 14) expect(read[at]).toBe(Math.max(0, length));
    else expect(Math.abs(read[at]! - length)).toBeLessThanOrEqual(Math.max(1, 0.051 * length));
  }
});

test('a run that was cut off before its time says nothing of its bot, and is not counted', async () => {
  const [projectId, botId] = [newId(), newId()];
  const runs = [null, 'Error: no', STOPPED, CANCELLED].map((message) => ({
    ...makeRun(projectId, [botId]),
    status: message === null ? 'ok' : 'failed',
    started_at: new Date(0),
    message,
  }));
  await write(writers[0]!, runs);
  expect(await hoursOf(projectId)).toMatchObject([{ runs: 3, failed: 2 }]);
});

test('what records runs is of one project, though it goes past those who watch what is sent', () => {
  expect(judge({ text: INSERT_RUNS, equals: [0, 1] })).toBeUndefined();
});
