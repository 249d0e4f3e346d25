import type { Ctx } from '../access/context.ts';
import { seesSamples } from '../bot-samples/sees-samples.ts';
import { findCode } from '../bots/find-code.ts';
import type { Bridge } from '../runs/run-loaded-bot.ts';
import { disagreement } from './release-bot.ts';
import { runSamples } from './run-samples.ts';

/** `expression`: what names the version in the request. */
type Trial = { number: number; force: boolean; expression: string };

/**
 * Runs the bot's samples with a version that is to run: samples may be newer than it. Throws 422 with what is otherwise than they expect, unless `force` says that it
 * is known: then what the audit log has of it.
 */
export async function tryVersion(
  ctx: Ctx,
  projectId: string,
  botId: string,
  { number, force, expression }: Trial,
  bridge: Bridge,
): Promise<{ disagreed?: string[] }> {
  const code = await findCode(projectId, botId, number);
  // One that the bot has not had is refused elsewhere.
  if (!code) return {};
  const results = await runSamples(ctx, projectId, botId, { ...code, key: String(code.number) }, { bridge, force });
  const failed = results.filter(({ ok }) => !ok);
  if (failed.length > 0 && !force) throw disagreement(failed, seesSamples(ctx), expression);
  return failed.length > 0 ? { disagreed: failed.map(({ id }) => id) } : {};
}
