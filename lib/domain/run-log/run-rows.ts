import { type SQL, sql } from 'drizzle-orm';
import { toInstant } from '#lib/infra/db/to-instant.ts';
import type { RunState } from '#lib/protocol/bots/bots.ts';
import type { BotRun, ProjectRun } from '#lib/protocol/bots/runs/bot-runs.ts';
import { type Names, named, resolveNames } from '../audit/resolve-names.ts';

/** A run without what went through it, as statements give it. */
export type RunRow = {
  id: string;
  bot_id: string;
  version: number | null;
  requester: string | null;
  trigger: string;
  status: RunState;
  started_at: string;
  duration_ms: number;
  cpu_us: number | null;
  heap_kb: number | null;
  message: string | null;
  fingerprint: string | null;
  request_id: string;
  trace_id: string | null;
  replay_of: string | null;
};

const NAMES =
  'id, bot_id, version, requester, trigger, status, started_at, duration_ms, cpu_us, heap_kb, message, fingerprint, request_id, trace_id, replay_of';
export const RUN_COLUMNS: SQL = sql.raw(NAMES);

export function toRun(row: RunRow, names: Names): BotRun {
  return {
    id: row.id,
    at: toInstant(row.started_at),
    status: row.status,
    durationMs: row.duration_ms,
    cpuMs: row.cpu_us === null ? null : row.cpu_us / 1000,
    heapKb: row.heap_kb,
    version: row.version,
    trigger: row.trigger,
    requester: named(names, row.requester),
    message: row.message,
    fingerprint: row.fingerprint,
    requestId: row.request_id,
    traceId: row.trace_id,
    replayOf: row.replay_of,
  };
}

/** With the names of their bots and callers. */
export async function toProjectRuns(projectId: string, rows: readonly RunRow[]): Promise<ProjectRun[]> {
  const names = await namesOf(projectId, rows);
  return rows.map((row) => ({ ...toRun(row, names), bot: botOf(names, row.bot_id) }));
}

export function namesOf(projectId: string, rows: readonly Pick<RunRow, 'bot_id' | 'requester'>[]): Promise<Names> {
  return resolveNames(
    projectId,
    rows.flatMap((row) => [row.requester, `Bot/${row.bot_id}`]),
  );
}

export function botOf(names: Names, id: string): ProjectRun['bot'] {
  return { id, name: named(names, `Bot/${id}`)?.display ?? null };
}
