import type { Checked } from '#lib/protocol/bots/samples.ts';
import type { SaveSourceRequest } from '#lib/protocol/requests/bot-console.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';
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
  { code, filename }: SaveSourceRequest,
  bridge: Bridge,
): Promise<Checked> {
  requireProjectAdmin(ctx, projectId);
  await requireOwnBot(ctx, projectId, botId);
  const draft = await toDraft(code, filename);
  const wants = await changeOfWants(projectId, botId, [code]);
  return { samples: await runSamples(ctx, projectId, botId, draft, bridge), wants };
}
