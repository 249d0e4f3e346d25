import type { Checked } from '#lib/protocol/bots/samples.ts';
import { ownSources, toProgram } from '#lib/protocol/bots/to-program.ts';
import type { CheckRequest } from '#lib/protocol/requests/bot-console.ts';
import type { Ctx } from '../access/context.ts';
import { requireShort } from '../bots/deploy-bot.ts';
import { requireOwnBot } from '../bots/require-own-bot.ts';
import type { Bridge } from '../runs/run-loaded-bot.ts';
import { changeOfWants } from './change-of-wants.ts';
import { toDraft } from './dry-run.ts';
import { runSamples } from './run-samples.ts';

/** What a deploy of this code would find, and what it newly wants, without deploying it. */
export async function checkDraft(
  ctx: Ctx,
  projectId: string,
  botId: string,
  draft: CheckRequest,
  bridge: Bridge,
): Promise<Checked> {
  await requireOwnBot(ctx, projectId, botId);
  const program = toProgram(draft)!;
  requireShort(program);
  const wants = await changeOfWants(projectId, botId, ownSources(program));
  const samples = await runSamples(ctx, projectId, botId, await toDraft(projectId, program), { bridge, force: false });
  return { samples, wants };
}
