import { AppError } from '#lib/base/errors.ts';
import type { BotRunDetail } from '#lib/protocol/bots/runs/bot-runs.ts';
import type { RevealRunRequest } from '#lib/protocol/bots/runs/run-requests.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';
import { requireAll } from '../access/has-all.ts';
import { write } from '../audit/write.ts';
import { throttle } from '../limits/throttle.ts';
import { requireProof } from '../proofs/require-proof.ts';
import { findRun } from './find-run.ts';
import { toDetail } from './to-detail.ts';

const OFTEN = { limit: 200, windowSeconds: 3600, refusal: 'Two hundred runs were revealed within the hour' };

/**
 * One run as it was, and in the audit log who looked at it and why. For administrators whom no policy limits, in their own name, with a proof. Throws
 * 403, 404, and 429 past two hundred of a member's in an hour.
 */
export async function revealRun(
  ctx: Ctx,
  projectId: string,
  runId: string,
  { reason }: RevealRunRequest,
): Promise<BotRunDetail> {
  const actor = requireProjectAdmin(ctx, projectId);
  if (actor.caller) throw new AppError('forbidden', 'Runs are revealed in one’s own name, on behalf of nobody');
  requireAll(actor, 'reveals runs');
  await requireProof(actor);
  await throttle(`reveal-run:${actor.membershipId}`, OFTEN.limit, OFTEN);
  const row = await write(ctx, async (w) => {
    const found = await findRun(w.tx, projectId, runId);
    w.audit({ projectId, action: 'bot.run.reveal', target: `Bot/${found.bot_id}`, after: { run: found.id, reason } });
    return found;
  });
  return toDetail(projectId, row, { isMasked: false });
}
