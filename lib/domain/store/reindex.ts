import { setTimeout as pause } from 'node:timers/promises';
import { type SQL, sql } from 'drizzle-orm';
import { AppError } from '#lib/base/errors.ts';
import { SERVER_SCOPE } from '#lib/base/ids.ts';
import { pace } from '#lib/base/pace.ts';
import { db } from '#lib/infra/db/client.ts';
import { tryLease } from '#lib/infra/db/single/leases.ts';
import { dropProgress, keepProgress, readProgress } from '#lib/infra/db/upkeep.ts';
import { typeId, typeName } from '#lib/protocol/fhir/type-ids.ts';
import { type Looked, reindexPage } from './reindex-page.ts';

/** All of it, or one project, one type, or both. */
export type ReindexScope = { projectId?: string; type?: string };

/** Where it is: `id` is the last that was done of this project and type. */
type Place = { projectId: string; typeId: number; id: string };
export type ReindexProgress = Looked & { at: Place };

export type ReindexOptions = {
  /** Forgets how far an earlier run of the same scope came. */
  afresh?: boolean;
  stopped?: AbortSignal;
  /** Told after each step; the next waits for what it returns. */
  onProgress?: (progress: ReindexProgress) => unknown;
  batch?: number;
};

const BATCH = 200;
const NONE: Looked = { looked: 0, changed: 0, overtaken: 0, refused: 0 };

/**
 * Reads every resource through today's extractor, and writes the index of those for which it differs. No version, no audit row, no new
 * lastUpdated. In small steps, with rests, beside a server that serves; after each it is kept how far it came, so that the next run
 * of the same scope goes on there. One at a time: throws 409 for a second.
 */
export async function reindex(scope: ReindexScope, options: ReindexOptions = {}): Promise<Looked> {
  const lease = await tryLease('reindex', 1);
  if (!lease) throw new AppError('conflict', 'Another reindex is under way');
  try {
    return await walk(scope, options);
  } finally {
    lease.release();
  }
}

async function walk(
  scope: ReindexScope,
  { afresh, stopped, onProgress, batch = BATCH }: ReindexOptions,
): Promise<Looked> {
  const name = `reindex ${scope.projectId ?? 'all'} ${scope.type ?? 'all'}`;
  const kept = afresh ? undefined : await readProgress<ReindexProgress>(name);
  let progress = kept ?? { ...NONE, at: { projectId: SERVER_SCOPE, typeId: 0, id: '' } };
  for (;;) {
    if (stopped?.aborted) return progress;
    const started = performance.now();
    const { at } = progress;
    const page = at.typeId > 0 ? await reindexPage(at.projectId, typeName(at.typeId), at.id, batch) : undefined;
    const next = page?.last === undefined ? await nextGroup(scope, at) : { ...at, id: page.last };
    if (!next) break;
    progress = { ...sum(progress, page ?? NONE), at: next };
    await keepProgress(name, progress);
    if (page) await onProgress?.(progress);
    await pause((performance.now() - started) * pace.reindexRest);
  }
  await dropProgress(name);
  return progress;
}

/** The next type of the project that has any, or the next project's first. */
async function nextGroup(
  { projectId, type }: ReindexScope,
  { projectId: here, typeId: of }: Place,
): Promise<Place | undefined> {
  const within: SQL[] = [
    ...(projectId ? [sql`and project_id = ${projectId}::uuid`] : []),
    ...(type ? [sql`and type_id = ${typeId(type)}::smallint`] : []),
  ];
  const [found] = await db().execute<{ project_id: string; type_id: number }>(sql`
    select project_id, type_id from resource where (project_id, type_id) > (${here}::uuid, ${of}::smallint) ${sql.join(within, sql` `)}
    order by project_id, type_id limit 1`);
  return found && { projectId: found.project_id, typeId: found.type_id, id: '' };
}

function sum(a: Looked, b: Looked): Looked {
  return {
    looked: a.looked + b.looked,
    changed: a.changed + b.changed,
    overtaken: a.overtaken + b.overtaken,
    refused: a.refused + b.refused,
  };
}
