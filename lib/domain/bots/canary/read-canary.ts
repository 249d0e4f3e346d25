import type { CanaryAnswer } from '#lib/protocol/bots/canary.ts';
import type { Ctx } from '../../access/context.ts';
import { named, resolveNames } from '../../audit/resolve-names.ts';
import { requireOwnBot } from '../require-own-bot.ts';
import { findCanary } from './canary-rows.ts';
import { NO_FIGURES, tallyRuns } from './tally-runs.ts';

/** The trial of a version that is on, or the last one and how it ended. */
export async function readCanary(ctx: Ctx, projectId: string, botId: string): Promise<CanaryAnswer> {
  await requireOwnBot(ctx, projectId, botId);
  const row = await findCanary(projectId, botId);
  if (!row) return { canary: null };
  const { number: version, share, state, author, startedAt, endedAt, endedBy } = row;
  const [figures, names] = await Promise.all([
    state === 'running' ? tallyRuns(projectId, botId) : row.figures ? JSON.parse(row.figures) : NO_FIGURES,
    resolveNames(projectId, [author, endedBy]),
  ]);
  return {
    canary: {
      ...{ version, share, state, figures },
      ...{ author: named(names, author), startedAt: startedAt.toISOString() },
      ...{ endedAt: endedAt?.toISOString() ?? null, endedBy: named(names, endedBy) },
    },
  };
}
