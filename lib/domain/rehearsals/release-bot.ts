import { AppError } from '#lib/base/errors.ts';
import type { SampleResult } from '#lib/protocol/bots/samples.ts';
import { type Ctx, requireActor } from '../access/context.ts';
import { findSamples } from '../bot-samples/sample-rows.ts';
import { seesSamples } from '../bot-samples/sees-samples.ts';
import { type Deployed, type DeployInput, deployBot, programOf } from '../bots/deploy-bot.ts';
import { requireBot } from '../bots/require-bot.ts';
import type { Bridge } from '../runs/run-loaded-bot.ts';
import { canRehearse, toDraft } from './dry-run.ts';
import { runSamples } from './run-samples.ts';

export type ReleaseInput = DeployInput & { force?: boolean };
export type Released = Deployed & { samples: SampleResult[] };

const MOST_TOLD = 20;

/**
 * Deploys code that does with each sample of the bot what the sample expects. Throws 422 with what is otherwise, one issue a difference,
 * unless `force` says that it is known; the audit log has it then. Who deploys and may not see samples is told only whether they agree.
 */
export async function releaseBot(ctx: Ctx, botId: string, input: ReleaseInput, bridge: Bridge): Promise<Released> {
  const { projectId } = requireActor(ctx);
  const { force = false, ...deploy } = input;
  await requireBot(ctx, botId, 'update');
  // What is tried is what is deployed.
  const program = await programOf(projectId, botId, deploy);
  const samples = await tryOut();
  const failed = samples.filter(({ ok }) => !ok);
  if (failed.length > 0 && !force) throw disagreement(failed, seesSamples(ctx));
  const told = failed.length > 0 ? { disagreed: failed.map(({ id }) => id) } : undefined;
  const deployed = await deployBot(ctx, botId, deploy, { program, told });
  return { ...deployed, samples };

  async function tryOut(): Promise<SampleResult[]> {
    if ((await findSamples(projectId, botId)).length === 0 || !(await canRehearse(ctx, projectId, botId))) return [];
    return runSamples(ctx, projectId, botId, await toDraft(projectId, program), { bridge, force });
  }
}

/** What a sample expects and found may be a patient's: who sees samples is told. */
export function disagreement(failed: readonly SampleResult[], isTold: boolean, expression = 'code'): AppError {
  const text = `Nothing was deployed: ${failed.length === 1 ? 'a sample is' : `${failed.length} samples are`} not as expected`;
  const issues = failed.flatMap(({ name, problem, differences: [first] }) => {
    const why = problem ?? (first ? `${first.at} is ${brief(first.found)}, not ${brief(first.expected)}` : '');
    return isTold ? [{ text: `${name}: ${why}`, expression, code: 'business-rule' }] : [];
  });
  return new AppError('business-rule', text, { issues: [{ text, expression }, ...issues.slice(0, MOST_TOLD)] });
}

function brief(value: unknown): string {
  const text = value === undefined ? 'not there' : JSON.stringify(value);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
