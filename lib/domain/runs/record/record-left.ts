import { isUuid } from '#lib/base/ids.ts';
import { log } from '#lib/base/log.ts';
import { pace } from '#lib/base/pace.ts';
import { findLeft } from '#lib/infra/journal/journal.ts';
import { findRow } from '../../store/find-row.ts';
import { erasedSince, LONGEST_MS } from './erased-since.ts';
import { takeUp } from './record-run.ts';
import { withoutTexts } from './run-row.ts';
import { toRow, type WaitingRow } from './waiting-rows.ts';

/** Now and from time to time: a process may be killed that was there when this one began. Returns what ends it. */
export function watchLeft(): () => void {
  const look = () => void recordLeft().catch((error) => log.warn({ err: error }, 'runs of a killed process wait on'));
  look();
  const timer = setInterval(look, pace.leftRunsMs).unref();
  return () => clearInterval(timer);
}

/** What processes of this machine had answered when they were killed, and not recorded yet (lib/infra/journal). */
export async function recordLeft(): Promise<void> {
  for (const { lines, forget } of findLeft()) {
    const rows: WaitingRow[] = [];
    for (const line of lines) rows.push(...(await toTakeUp(line)));
    // Otherwise the next look has it.
    if (await takeUp(rows)) forget();
  }
}

/**
 * Without what was said where its patient may have been erased meanwhile: messages of other systems name them as nobody knows any more. None of a project that is gone,
 * and none of what is no line of ours.
 */
async function toTakeUp(line: string): Promise<WaitingRow[]> {
  const row = toRow(line);
  const startedAt = startOf(row);
  if (!startedAt || !(await exists(row.projectId))) return [];
  const isOld = startedAt.getTime() < Date.now() - LONGEST_MS;
  const isSafe = !isOld && (await erasedSince(row.projectId, startedAt)).length === 0;
  return [isSafe ? row : withoutTexts(row)];
}

function startOf({ json }: WaitingRow): Date | undefined {
  try {
    return new Date(JSON.parse(json).started_at);
  } catch (error) {
    log.error({ err: error }, 'what a killed process left of a run cannot be read');
    return undefined;
  }
}

async function exists(projectId: string): Promise<boolean> {
  return isUuid(projectId) && (await findRow(projectId, 'Project', projectId)) !== undefined;
}
