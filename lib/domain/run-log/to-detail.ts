import { maskRun } from '#lib/protocol/bots/masking/mask-run.ts';
import { MASK } from '#lib/protocol/bots/masking/masked.ts';
import type { BotRunDetail, RunContent } from '#lib/protocol/bots/runs/bot-runs.ts';
import { contentOf, type Kept, type WholeRun } from './find-run.ts';
import { toProjectRuns } from './run-rows.ts';

/** A run as it is shown: masked, or as it was. */
export async function toDetail(
  projectId: string,
  row: WholeRun,
  { isMasked }: { isMasked: boolean },
): Promise<BotRunDetail> {
  const [run] = await toProjectRuns(projectId, [row]);
  const [input, output] = [contentOf(row, 'input'), contentOf(row, 'output')];
  const logs = row.logs ?? [];
  const calls = row.calls ?? [];
  if (!isMasked) {
    const message = row.failure ?? row.message;
    return { ...run!, isMasked, message, input: shown(input), output: shown(output), logs, calls };
  }
  const kept = (content: Kept | null) => (content?.isKept ? content : null);
  const masked = maskRun({ input: kept(input), output: kept(output) });
  return {
    ...run!,
    isMasked,
    input: shown(input, masked.input),
    output: shown(output, masked.output),
    logs: logs.map((line) => ({ ...line, text: masked.mask(line.text) ?? MASK })),
    calls,
  };
}

function shown(content: Kept | null, text: string | null | undefined = content?.text): RunContent | null {
  if (!content) return null;
  const { kind, bytes, isKept, isCut } = content;
  return { kind, bytes, isKept, isCut, text: isKept ? (text ?? null) : null };
}
