import type { SampleResult } from '#lib/protocol/bots/samples.ts';
import { toProgram } from '#lib/protocol/bots/to-program.ts';
import type { CheckRequest } from '#lib/protocol/requests/bot-console.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';
import { requireOwnBot } from '../bots/require-own-bot.ts';
import type { Bridge } from '../runs/run-loaded-bot.ts';
import { toDraft } from './dry-run.ts';
import { runSamples } from './run-samples.ts';

export type Checked = { samples: SampleResult[] };

/** What a deploy of this code would find, without deploying it. */
export async function checkDraft(
  ctx: Ctx,
  projectId: string,
  botId: string,
  draft: CheckRequest,
  bridge: Bridge,
): Promise<Checked> {
  requireProjectAdmin(ctx, projectId);
  await requireOwnBot(ctx, projectId, botId);
  return { samples: await runSamples(ctx, projectId, botId, await toDraft(toProgram(draft)!), bridge) };
}
