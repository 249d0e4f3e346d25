import { notFound } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import { db, runText } from '#lib/infra/db/client.ts';
import { toInstant } from '#lib/infra/db/to-instant.ts';
import type { RunningRuns } from '#lib/protocol/bots/runs/bot-runs.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';
import { named } from '../audit/resolve-names.ts';
import { botOf, namesOf } from './run-rows.ts';

const MOST = 100;

type RunningRow = {
  id: string;
  bot_id: string;
  version: number;
  trigger: string;
  requester: string;
  request_id: string;
  started_at: string;
  is_stopping: boolean;
};

/** The runs of the project that have lasted a second and not ended, the longest first. For administrators. */
export async function listRunning(ctx: Ctx, projectId: string): Promise<RunningRuns> {
  requireProjectAdmin(ctx, projectId);
  if (!isUuid(projectId)) throw notFound();
  const rows = await runText<RunningRow>(db(), LIST, [projectId]);
  const names = await namesOf(projectId, rows);
  return {
    rows: rows.map(({ id, bot_id, version, trigger, requester, request_id, started_at, is_stopping: isStopping }) => ({
      id,
      at: toInstant(started_at),
      version,
      trigger,
      requester: named(names, requester),
      requestId: request_id,
      bot: botOf(names, bot_id),
      isStopping,
    })),
  };
}

const LIST = `
  select id, bot_id, version, trigger, requester, request_id, started_at, stopped_by is not null as is_stopping from bot_running
  where project_id = $1::uuid and ends_by > now() order by started_at, id limit ${MOST}`;
