import { notFound } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import { db } from '#lib/infra/db/client.ts';
import type { ProjectRunPage } from '#lib/protocol/bots/runs/bot-runs.ts';
import type { ProjectRunsQuery } from '#lib/protocol/bots/runs/run-requests.ts';
import { formatCursor } from '#lib/protocol/cursor.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';
import { requireAll } from '../access/has-all.ts';
import { findRuns } from './find-runs.ts';
import { toProjectRuns } from './run-rows.ts';

/**
 * The runs of all bots of the project, newest first. For administrators; what inputs hold is looked for by those alone whom no policy limits, since that tells
 * of whom they are.
 */
export async function listProjectRuns(
  ctx: Ctx,
  projectId: string,
  { _count: count, ...filter }: ProjectRunsQuery,
): Promise<ProjectRunPage> {
  const actor = requireProjectAdmin(ctx, projectId);
  if (!isUuid(projectId)) throw notFound();
  if (filter.text !== undefined) requireAll(actor, 'looks into inputs');
  const { rows, last, lookedTo } = await findRuns(db(), projectId, filter, count);
  return {
    rows: await toProjectRuns(projectId, rows),
    next: last ? formatCursor(last) : null,
    lookedTo: lookedTo ?? null,
  };
}
