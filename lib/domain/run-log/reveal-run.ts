import type { BotRunDetail } from '#lib/protocol/bots/runs/bot-runs.ts';
import type { RevealRequest } from '#lib/protocol/bots/runs/run-requests.ts';
import type { Ctx } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { requireReveal } from '../proofs/require-reveal.ts';
import { findRun } from './find-run.ts';
import { toDetail } from './to-detail.ts';

/** One run as it was, and in the audit log who looked at it and why. Throws 404, and what `requireReveal` throws. */
export async function revealRun(
  ctx: Ctx,
  projectId: string,
  runId: string,
  { reason }: RevealRequest,
): Promise<BotRunDetail> {
  await requireReveal(ctx, projectId);
  const row = await write(ctx, async (w) => {
    const found = await findRun(w.tx, projectId, runId);
    w.audit({ projectId, action: 'bot.run.reveal', target: `Bot/${found.bot_id}`, after: { run: found.id, reason } });
    return found;
  });
  return toDetail(projectId, row, { isMasked: false });
}
