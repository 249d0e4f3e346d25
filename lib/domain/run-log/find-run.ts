import { sql } from 'drizzle-orm';
import { notFound } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import type { Content } from '#lib/protocol/bots/masking/mask-run.ts';
import type { LogLine, RunCall } from '#lib/protocol/bots/runs/bot-runs.ts';
import { settleRuns } from '../runs/record/record-run.ts';
import { RUN_COLUMNS, type RunRow } from './run-rows.ts';

type Through<Name extends string> = { [K in `${Name}_type`]: Content['kind'] | null } & {
  [K in `${Name}_bytes`]: number | null;
} & { [K in Name]: string | null };

/** A run with all that went through it. */
export type WholeRun = RunRow &
  Through<'input'> &
  Through<'output'> & {
    failure: string | null;
    input_headers: Record<string, string> | null;
    logs: LogLine[] | null;
    calls: RunCall[] | null;
  };

/** Throws 404; of another bot than `botId`, too. */
export async function findRun(q: Queryable, projectId: string, runId: string, botId?: string): Promise<WholeRun> {
  if (!isUuid(projectId) || !isUuid(runId)) throw notFound();
  await settleRuns(projectId);
  const [row] = await q.execute<WholeRun>(sql`
    select ${RUN_COLUMNS}, failure, input_type, input, input_bytes, input_headers, output_type, output, output_bytes, logs, calls
    from bot_run where project_id = ${projectId}::uuid and id = ${runId}::uuid`);
  if (!row || (botId !== undefined && row.bot_id !== botId.toLowerCase())) throw notFound();
  return row;
}

export type Kept = Content & { bytes: number; isKept: boolean; isCut: boolean };

/** What went in, or came out; null for nothing. */
export function contentOf(row: WholeRun, side: 'input' | 'output'): Kept | null {
  const kind = row[`${side}_type`];
  const bytes = row[`${side}_bytes`];
  if (kind === null || bytes === null) return null;
  const text = row[side];
  return {
    kind,
    bytes,
    text: text ?? '',
    isKept: text !== null,
    isCut: text !== null && Buffer.byteLength(text) < bytes,
  };
}
