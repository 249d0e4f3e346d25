import { db, runText } from '#lib/infra/db/client.ts';
import { toTextArray } from '#lib/infra/db/text-array.ts';
import { dropFile, type Place } from '#lib/infra/files/files.ts';

const SOME = 200;
const GOING = `select key::text as key, place from binary_file where project_id = $1::uuid and state = 'going' limit ${SOME}`;
const GONE = `delete from binary_file where project_id = $1::uuid and key = any($2::uuid[]) and state = 'going'`;

/** Drops the files of a project that nobody has any more, and then the rows that say so: done again after a kill, it does no harm. */
export async function dropGoing(projectId: string, stopped?: AbortSignal): Promise<number> {
  let dropped = 0;
  for (let last = SOME; last === SOME && !stopped?.aborted; dropped += last) {
    const found = await runText<{ key: string; place: Place }>(db(), GOING, [projectId]);
    for (const { key, place } of found) await dropFile(place, { projectId, key });
    if (found.length > 0) await runText(db(), GONE, [projectId, toTextArray(found.map(({ key }) => key))]);
    last = found.length;
  }
  return dropped;
}
