import { AppError, ERRORS } from '#lib/base/errors.ts';
import type { Sample, SampleResult } from '#lib/protocol/bots/samples.ts';
import type { Ctx } from '../access/context.ts';
import { toSample } from '../bot-samples/list-samples.ts';
import { findSamples } from '../bot-samples/sample-rows.ts';
import { seesSamples } from '../bot-samples/sees-samples.ts';
import type { Bridge } from '../runs/run-loaded-bot.ts';
import { compare } from './compare.ts';
import { readyToRehearse, toInput } from './dry-run.ts';
import { type RehearsedCode, rehearseRun } from './rehearse-run.ts';

/** Of all of them: what has no time left is a sample that failed. */
const MOST_MS = 60_000;

/** Runs all samples of the bot with this code, one after the other; nothing of it stays. Of what they say only who sees samples is told. */
export async function runSamples(
  ctx: Ctx,
  projectId: string,
  botId: string,
  code: RehearsedCode,
  bridge: Bridge,
): Promise<SampleResult[]> {
  const rows = await findSamples(projectId, botId);
  const until = Date.now() + MOST_MS;
  const results: SampleResult[] = [];
  for (const row of rows) {
    const sample = toSample(row);
    if (Date.now() < until) results.push(await runSample(ctx, projectId, botId, { code, sample, bridge }));
    else results.push(failed(sample, 'The samples before it took all the time there is'));
  }
  // Whoever may not see a sample is told whether it agrees, and nothing that it says.
  return seesSamples(ctx) ? results : results.map(blind);
}

function blind({ id, ok, durationMs }: SampleResult, index: number): SampleResult {
  return { id, name: String(index + 1), ok, differences: [], problem: null, durationMs };
}

type Asked = { code: RehearsedCode; sample: Omit<Sample, 'author'>; bridge: Bridge };

async function runSample(ctx: Ctx, projectId: string, botId: string, asked: Asked): Promise<SampleResult> {
  const { code, sample, bridge } = asked;
  const { id, name } = sample;
  try {
    const ready = await readyToRehearse(ctx, projectId, botId);
    const run = await rehearseRun(ctx, ready, code, toInput(sample.input), sample.stubs ?? {}, bridge);
    const differences = compare(run, sample.expects);
    return { id, name, ok: differences.length === 0, differences, problem: null, durationMs: run.durationMs };
  } catch (error) {
    if (!(error instanceof AppError) || ERRORS[error.code].status >= 500) throw error;
    return failed(sample, error.message);
  }
}

function failed({ id, name }: Pick<Sample, 'id' | 'name'>, problem: string): SampleResult {
  return { id, name, ok: false, differences: [], problem, durationMs: 0 };
}
