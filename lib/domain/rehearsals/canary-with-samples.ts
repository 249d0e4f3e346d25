import type { CanaryPromotion, CanaryRequest } from '#lib/protocol/bots/canary.ts';
import type { Ctx } from '../access/context.ts';
import { findCanary } from '../bots/canary/canary-rows.ts';
import { promoteCanary, requireRunning } from '../bots/canary/promote-canary.ts';
import { startCanary } from '../bots/canary/start-canary.ts';
import { requireOwnBot } from '../bots/require-own-bot.ts';
import type { Bridge } from '../runs/run-loaded-bot.ts';
import { requireSamples } from './require-samples.ts';

/** A version gets a share of the runs, or another share. Throws what `requireSamples` and `startCanary` throw. */
export async function startCanaryWithSamples(
  ctx: Ctx,
  projectId: string,
  botId: string,
  { force, ...asked }: CanaryRequest,
  bridge: Bridge,
): Promise<void> {
  await requireOwnBot(ctx, projectId, botId);
  const current = await findCanary(projectId, botId);
  const running = current?.state === 'running' && current.number === asked.version ? current.id : undefined;
  const trial = { number: asked.version, force, expression: 'version' };
  const told = running !== undefined ? {} : await requireSamples(ctx, projectId, botId, trial, bridge);
  await startCanary(ctx, projectId, botId, asked, { told, running });
}

/** The version that is tried is live from now on. Throws what `requireSamples` throws, and 409 where none is tried, or another is by now. */
export async function promoteCanaryWithSamples(
  ctx: Ctx,
  projectId: string,
  botId: string,
  { version, force }: CanaryPromotion,
  bridge: Bridge,
): Promise<{ number: number }> {
  await requireOwnBot(ctx, projectId, botId);
  const current = requireRunning(await findCanary(projectId, botId), version);
  const told = await requireSamples(
    ctx,
    projectId,
    botId,
    { number: current.number, force, expression: 'version' },
    bridge,
  );
  return promoteCanary(ctx, projectId, botId, { id: current.id, told });
}
