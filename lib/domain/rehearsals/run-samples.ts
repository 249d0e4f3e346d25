import { AppError, ERRORS } from '#lib/base/errors.ts';
import type { Sample, SampleResult } from '#lib/protocol/bots/samples.ts';
import type { Ctx } from '../access/context.ts';
import { toSample } from '../bot-samples/list-samples.ts';
import { findSamples, type SampleRow } from '../bot-samples/sample-rows.ts';
import { seesSamples } from '../bot-samples/sees-samples.ts';
import { tooManyRuns } from '../runs/gate.ts';
import type { Bridge } from '../runs/run-loaded-bot.ts';
import { compare } from './compare.ts';
import { canRehearse, type Otherwise, readyToRehearse, toInput } from './dry-run.ts';
import { type RehearsedCode, rehearseRun } from './rehearse-run.ts';

/** Of all of them: what has no time left is a sample that failed. */
const MOST_MS = 60_000;
/** A sample had to give way to somebody who changed the same. */
const MOST_TRIES = 3;

/**
 * `force`: those that are not as expected are known. `as`: how the bot is to run with this code. `brought`: samples that it is to have then, too.
 */
export type SampleOptions = { bridge: Bridge; force: boolean; as?: Otherwise; brought?: readonly SampleRow[] };

/**
 * Runs all samples of the bot with this code, one after the other; nothing of it stays. Of what they say only who sees samples is told. None is run of a bot that
 * nobody can run, or by a super-admin from above. Throws 429 and 409 where they could not be run, which says nothing of the code; with `force` the rest is left out then.
 */
export async function runSamples(
  ctx: Ctx,
  projectId: string,
  botId: string,
  code: RehearsedCode,
  { bridge, force, as, brought = [] }: SampleOptions,
): Promise<SampleResult[]> {
  const replaced = new Set(brought.map(({ name }) => name));
  const own = (await findSamples(projectId, botId)).filter(({ name }) => !replaced.has(name));
  const rows = [...own, ...brought];
  if (rows.length === 0 || !(await canRehearse(ctx, projectId, botId))) return [];
  const until = Date.now() + MOST_MS;
  const results: SampleResult[] = [];
  for (const row of rows) {
    const sample = toSample(row);
    if (Date.now() < until) {
      const result = await runSample(ctx, projectId, botId, { code, sample, bridge, as }).catch(unlessForced);
      if (!result) break;
      results.push(result);
    } else if (results.reduce((sum, { durationMs }) => sum + durationMs, 0) < MOST_MS / 2) {
      if (force) break;
      throw tooManyRuns('The samples waited too long for their turn');
    } else results.push(failed(sample, 'The samples before it took all the time there is'));
  }
  // Whoever may not see a sample is told whether it agrees, and nothing that it says.
  return seesSamples(ctx) ? results : results.map(blind);

  function unlessForced(error: unknown): undefined {
    if (force && error instanceof AppError && PASSING.has(error.code)) return;
    throw error;
  }
}

const PASSING = new Set(['too-many-requests', 'conflict', 'unavailable']);

function blind({ id, ok, durationMs }: SampleResult, index: number): SampleResult {
  return { id, name: String(index + 1), ok, differences: [], problem: null, durationMs };
}

type Asked = { code: RehearsedCode; sample: Omit<Sample, 'author'> } & Pick<SampleOptions, 'bridge' | 'as'>;

async function runSample(ctx: Ctx, projectId: string, botId: string, asked: Asked, attempt = 1): Promise<SampleResult> {
  const { code, sample, bridge, as } = asked;
  const { id, name } = sample;
  try {
    const ready = await readyToRehearse(ctx, projectId, botId, as);
    const run = await rehearseRun(ctx, ready, code, toInput(sample.input), sample.stubs ?? {}, bridge);
    const differences = await compare(run, sample.expects);
    return { id, name, ok: differences.length === 0, differences, problem: null, durationMs: run.durationMs };
  } catch (error) {
    if (!(error instanceof AppError) || ERRORS[error.code].status >= 500) throw error;
    if (error.code === 'too-many-requests') throw error;
    if (error.code !== 'conflict') return failed(sample, error.message);
    if (attempt === MOST_TRIES) throw error;
    return runSample(ctx, projectId, botId, asked, attempt + 1);
  }
}

function failed({ id, name }: Pick<Sample, 'id' | 'name'>, problem: string): SampleResult {
  return { id, name, ok: false, differences: [], problem, durationMs: 0 };
}
