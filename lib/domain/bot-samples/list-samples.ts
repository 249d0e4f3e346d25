import type { Sample, Samples } from '#lib/protocol/bots/samples.ts';
import type { Ctx } from '../access/context.ts';
import { named, resolveNames } from '../audit/resolve-names.ts';
import { requireOwnBot } from '../bots/require-own-bot.ts';
import { findSamples, type SampleRow } from './sample-rows.ts';
import { requireSampleSight } from './sees-samples.ts';

/** What a bot is tried with before each deploy. For administrators whom no policy limits: it is data of patients. Throws 403, 404. */
export async function listSamples(ctx: Ctx, projectId: string, botId: string): Promise<Samples> {
  requireSampleSight(ctx, projectId);
  await requireOwnBot(ctx, projectId, botId);
  const rows = await findSamples(projectId, botId);
  const names = await resolveNames(
    projectId,
    rows.map(({ author }) => author),
  );
  return { rows: rows.map((row) => ({ ...toSample(row), author: named(names, row.author) })) };
}

export function toSample(row: SampleRow): Omit<Sample, 'author'> {
  return {
    id: row.id,
    name: row.name,
    input: { contentType: row.contentType, body: row.input },
    expects: JSON.parse(row.expects),
    stubs: row.stubs === null ? null : JSON.parse(row.stubs),
    updatedAt: row.updatedAt.toISOString(),
  };
}
