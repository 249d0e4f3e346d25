import { AppError, notFound } from '#lib/base/errors.ts';
import { newId } from '#lib/base/ids.ts';
import { db } from '#lib/infra/db/client.ts';
import type { Replayed } from '#lib/protocol/bots/runs/bot-runs.ts';
import type { ReplayRunRequest } from '#lib/protocol/bots/runs/run-requests.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { findCode } from '../bots/find-code.ts';
import type { RunningJob } from '../runs/bot-request.ts';
import { findRunnable } from '../runs/find-runnable.ts';
import { statusOf } from '../runs/record/status-of.ts';
import { type Bridge, runLoadedBot } from '../runs/run-loaded-bot.ts';
import { findRun, type WholeRun } from './find-run.ts';
import { replayInput } from './replay-input.ts';

/**
 * A run once more, with the same input or another, on the version that is live, the one that it ran on, or any. It is a run of its own, which says of
 * which it is a replay, under the bot's rights of now. How it ends is in the answer. Throws 400 for an input of another kind, 404, and 409 where the
 * input or the version is not there any more.
 */
export async function replayRun(
  ctx: Ctx,
  projectId: string,
  runId: string,
  { version, input, job }: ReplayRunRequest & { job?: RunningJob },
  bridge: Bridge,
): Promise<Replayed> {
  const actor = requireProjectAdmin(ctx, projectId);
  // Bots run in the project that one has signed in to.
  if (actor.projectId !== projectId) throw notFound();
  const row = await findRun(db(), projectId, runId);
  const given = replayInput(row, input);
  const code = await codeOf(projectId, row, version);
  const { bot } = await findRunnable(ctx, row.bot_id, code);
  const number = bot.code?.number;
  const run = newId();
  await write(ctx, async (w) => {
    const after = { run, of: row.id, version: number, ...(input !== undefined && { edited: true }) };
    w.audit({ projectId, action: 'bot.run.replay', target: `Bot/${row.bot_id}`, after });
  });
  const request = {
    ...given,
    headers: headersOf(row, input !== undefined),
    trigger: 'replay' as const,
    replay: { run, of: row.id },
    job,
  };
  const result = await runLoadedBot(ctx, (now) => findRunnable(now, row.bot_id, code), request, bridge);
  return { run, of: row.id, version: number ?? 0, status: statusOf(result) };
}

/** Of a replay whose input was another. */
export const EDITED = 'x-gatehouse-edited';

/** As it came; one that is edited is another event. */
function headersOf({ input_headers: kept }: WholeRun, isEdited: boolean): Record<string, string> {
  const { 'idempotency-key': key, [EDITED]: _, ...headers } = kept ?? {};
  if (isEdited) return { ...headers, [EDITED]: 'true' };
  return key === undefined ? headers : { ...headers, 'idempotency-key': key };
}

/** Undefined for what is live when it is its turn. */
async function codeOf(projectId: string, row: WholeRun, version: ReplayRunRequest['version']) {
  if (version === 'live') return undefined;
  const number = version === 'same' ? row.version : version;
  const code = number === null ? undefined : await findCode(projectId, row.bot_id, number);
  if (code) return code;
  throw new AppError('conflict', 'There is no such version of the bot', { expression: 'version' });
}
