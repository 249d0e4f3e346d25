import { setTimeout as pause } from 'node:timers/promises';
import { log } from '#lib/base/log.ts';
import { pace } from '#lib/base/pace.ts';
import { db, runText, transaction } from '#lib/infra/db/client.ts';
import { projectsIn } from '#lib/infra/db/sweep.ts';
import { toTextArray } from '#lib/infra/db/text-array.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import { dropGoing } from './drop-going.ts';

const SOME = 500;
/** An upload says every minute that it goes on; an import does not, and its transaction ends within a day. */
const LOST_MS = 24 * 3_600_000;

/** Drops uploads that nobody goes on with, and bytes whose versions are not kept any more. */
export async function sweepBytes(stopped?: AbortSignal, lostBefore = Date.now() - LOST_MS): Promise<void> {
  let files = 0;
  for await (const projectId of projectsIn('binary_file', stopped)) {
    await loseUploads(projectId, new Date(lostBefore));
    for (let last = SOME; last === SOME && !stopped?.aborted; ) {
      last = await releaseVersions(projectId);
      if (last === SOME) await pause(pace.sweepPauseMs);
    }
    files += await dropGoing(projectId, stopped).catch((error: unknown) => {
      // Those of the next project may stand elsewhere.
      log.warn({ err: error, projectId }, 'files that nobody has could not be dropped');
      return 0;
    });
  }
  if (files > 0) log.info({ files }, 'swept');
}

const LOST = `update binary_file set state = 'going' where project_id = $1::uuid and state = 'coming' and at < $2::timestamptz`;

async function loseUploads(projectId: string, before: Date): Promise<void> {
  await runText(db(), LOST, [projectId, before.toISOString()]);
}

/** Versions go by their age (sweep-history.ts); the bytes of those that are all gone are nobody's. */
const RELEASED = `
  select f.key::text as key, f.place from binary_file f
  where f.project_id = $1::uuid and f.state = 'kept' and f.until is not null and not exists (
    select from resource_history h where h.project_id = $1::uuid and h.type_id = ${typeId('Binary')} and h.id = f.binary_id::text
      and h.version >= f.since and h.version < f.until)
  limit ${SOME}`;
const CONTENT = `delete from binary_content where project_id = $1::uuid and id = any($2::uuid[])`;
const ROWS = `delete from binary_file where project_id = $1::uuid and key = any($2::uuid[])`;
const FILES = `update binary_file set state = 'going' where project_id = $1::uuid and key = any($2::uuid[])`;

async function releaseVersions(projectId: string): Promise<number> {
  const found = await runText<{ key: string; place: string }>(db(), RELEASED, [projectId]);
  const keysOf = (isFile: boolean) =>
    toTextArray(found.filter(({ place }) => (place !== 'database') === isFile).map(({ key }) => key));
  if (found.length > 0) {
    await transaction(async (tx) => {
      await runText(tx, CONTENT, [projectId, keysOf(false)]);
      await runText(tx, ROWS, [projectId, keysOf(false)]);
      await runText(tx, FILES, [projectId, keysOf(true)]);
    });
  }
  return found.length;
}
