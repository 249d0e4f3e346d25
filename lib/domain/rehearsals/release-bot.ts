import { db } from '#lib/infra/db/client.ts';
import type { SampleResult } from '#lib/protocol/bots/samples.ts';
import { toProgram } from '#lib/protocol/bots/to-program.ts';
import { type Ctx, requireActor } from '../access/context.ts';
import { findSamples } from '../bot-samples/sample-rows.ts';
import { type Deployed, type DeployInput, deployBot, programOf } from '../bots/deploy-bot.ts';
import { findDeployed } from '../bots/live/find-deployed.ts';
import { requireBot } from '../bots/require-bot.ts';
import type { Bridge } from '../runs/run-loaded-bot.ts';
import { toDraft } from './dry-run.ts';
import { requireAgreement } from './require-samples.ts';
import { runSamples } from './run-samples.ts';

export type ReleaseInput = DeployInput & { force?: boolean };
export type Released = Deployed & { samples: SampleResult[] };

/**
 * Deploys code that does with each sample of the bot what the sample expects. Throws 422 with what is otherwise, one issue a difference,
 * unless `force` says that it is known; the audit log has it then. Who deploys and may not see samples is told only whether they agree.
 */
export async function releaseBot(ctx: Ctx, botId: string, input: ReleaseInput, bridge: Bridge): Promise<Released> {
  const { projectId } = requireActor(ctx);
  const { force = false, ...deploy } = input;
  await requireBot(ctx, botId, 'update');
  // What is tried is what is deployed.
  const over = deploy.over ?? (toProgram(deploy) ? undefined : await liveNumber(projectId, botId));
  const program = await programOf(projectId, botId, deploy);
  const samples = await tryOut();
  const told = requireAgreement(ctx, samples, { force });
  const deployed = await deployBot(ctx, botId, { ...deploy, over }, { program, told });
  return { ...deployed, samples };

  async function tryOut(): Promise<SampleResult[]> {
    // Nothing is compiled for none.
    if ((await findSamples(projectId, botId)).length === 0) return [];
    return runSamples(ctx, projectId, botId, await toDraft(projectId, program), { bridge, force });
  }
}

/** Where no code is brought: what goes live meanwhile is not taken back by what was live before it. */
async function liveNumber(projectId: string, botId: string): Promise<number> {
  return (await findDeployed(db(), projectId, botId)) ?? 0;
}
