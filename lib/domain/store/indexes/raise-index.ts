import { AppError } from '#lib/base/errors.ts';
import { log } from '#lib/base/log.ts';
import { dropProgress, keepProgress, readProgress } from '#lib/infra/db/upkeep.ts';
import { INDEX_LEVEL, LEVEL_NAME } from '#lib/protocol/fhir/index/format.ts';
import type { Expr } from '#lib/protocol/fhir/search/ir.ts';
import type { Sort } from '#lib/protocol/fhir/search/parse-search.ts';
import { reindex } from '../reindex.ts';

/** All that is stored is at `level`; on its way to `begun`. */
type Level = { level: number; begun?: number };

const RETRY_SECONDS = 60;
/** As high as it was when somebody looked. */
let raised = 0;

/**
 * Brings what the release before has stored to what is indexed today, beside the requests, and goes on after a restart where it was. In a
 * database without older rows there is nothing to do. Throws 409 while somebody else reindexes.
 */
export async function raiseIndex(stopped?: AbortSignal): Promise<void> {
  const kept = await readLevel();
  if (kept.level >= INDEX_LEVEL) return;
  const isNew = kept.begun !== INDEX_LEVEL;
  if (isNew) await keepProgress(LEVEL_NAME, { ...kept, begun: INDEX_LEVEL });
  // What an operator had begun at the level before says nothing of this one.
  if (isNew) await dropProgress('reindex all all');
  const { changed } = await reindex({}, { stopped });
  if (stopped?.aborted) return;
  await keepProgress(LEVEL_NAME, { level: INDEX_LEVEL });
  log.info({ changed }, 'what is stored is indexed as searches need it');
}

/** Refuses a search whose answer would lack what is stored but not looked at yet: 503, until it is. */
export async function requireRaised({ filter, sort }: { filter: Expr; sort: readonly Sort[] }): Promise<void> {
  const needed = Math.max(levelOf(filter), ...sort.map(({ param }) => (ORDERED.has(param.type) ? 2 : 1)));
  if (needed <= Math.max(raised, 1)) return;
  raised = (await readLevel()).level;
  if (needed <= raised) return;
  throw new AppError('unavailable', 'What this search asks for is being indexed; ask again later', {
    retryAfterSeconds: RETRY_SECONDS,
  });
}

/** Of a test, which sets the level back. */
export function forgetRaised(): void {
  raised = 0;
}

const ORDERED = new Set(['number', 'quantity', 'special', 'composite']);

async function readLevel(): Promise<Level> {
  return (await readProgress<Level>(LEVEL_NAME)) ?? { level: 1 };
}

/** Of the part of the filter, however deep, that needs the newest entries. */
function levelOf(part: unknown): number {
  if (typeof part !== 'object' || part === null) return 1;
  if (Array.isArray(part)) return typeof part[0] === 'object' ? Math.max(1, ...part.map(levelOf)) : 1;
  const { op, isNew } = part as { op?: unknown; isNew?: unknown };
  if (typeof isNew === 'number') return isNew;
  if (op === 'quantity' || op === 'near') return 2;
  return op === undefined ? 1 : Math.max(1, ...Object.values(part).map(levelOf));
}
