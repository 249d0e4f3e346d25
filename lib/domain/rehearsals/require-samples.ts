import type { SampleResult } from '#lib/protocol/bots/samples.ts';
import type { Ctx } from '../access/context.ts';
import { seesSamples } from '../bot-samples/sees-samples.ts';
import { findCode } from '../bots/find-code.ts';
import type { Bridge } from '../runs/run-loaded-bot.ts';
import { disagreement } from './disagreement.ts';
import { keyOf } from './dry-run.ts';
import { runSamples } from './run-samples.ts';

/** What the audit log has of samples that are known not to be as expected. */
export type Disagreed = { disagreed?: string[] };

/** `expression`: what names the code in the request. */
type Asked = { force: boolean; expression?: string };

/** Throws 422 with what is otherwise than the samples expect, unless `force` says that it is known. Who may not see samples is told no more than that. */
export function requireAgreement(ctx: Ctx, results: readonly SampleResult[], { force, expression }: Asked): Disagreed {
  const failed = results.filter(({ ok }) => !ok);
  if (failed.length > 0 && !force) throw disagreement(failed, seesSamples(ctx), expression);
  return failed.length > 0 ? { disagreed: failed.map(({ id }) => id) } : {};
}

/** Runs the bot's samples with a version that is to run, since they may be newer than it. Throws what `requireAgreement` and `runSamples` throw. */
export async function requireSamples(
  ctx: Ctx,
  projectId: string,
  botId: string,
  { number, force, expression }: Asked & { number: number },
  bridge: Bridge,
): Promise<Disagreed> {
  const code = await findCode(projectId, botId, number);
  // One that the bot has not had is refused elsewhere.
  if (!code) return {};
  const results = await runSamples(ctx, projectId, botId, { ...code, key: keyOf(code) }, { bridge, force });
  return requireAgreement(ctx, results, { force, expression });
}
