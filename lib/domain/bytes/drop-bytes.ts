import { isUuid } from '#lib/base/ids.ts';
import { log } from '#lib/base/log.ts';
import { db, runText } from '#lib/infra/db/client.ts';
import { toTextArray } from '#lib/infra/db/text-array.ts';
import type { Write } from '../access/context.ts';
import { dropGoing } from './drop-going.ts';

const KEYS = `select key::text as key, place from binary_file where project_id = $1::uuid and binary_id = any($2::uuid[])`;
const CONTENT = `delete from binary_content where project_id = $1::uuid and id = any($2::uuid[])`;
const ROWS = `delete from binary_file where project_id = $1::uuid and place = 'database' and key = any($2::uuid[])`;
const FILES = `
  update binary_file set state = 'going', binary_id = null where project_id = $1::uuid and place <> 'database' and key = any($2::uuid[])`;

/** All bytes that these Binaries, which are locked, ever had. Files go when that is committed. */
export async function dropBytes(w: Write, projectId: string, binaries: readonly string[]): Promise<void> {
  const ids = binaries.filter(isUuid);
  if (ids.length === 0) return;
  const found = await runText<{ key: string; place: string }>(w.tx, KEYS, [projectId, toTextArray(ids)]);
  const keys = toTextArray(found.map(({ key }) => key));
  await runText(w.tx, CONTENT, [projectId, toTextArray([...ids, ...found.map(({ key }) => key)])]);
  if (found.length === 0) return;
  await runText(w.tx, ROWS, [projectId, keys]);
  await runText(w.tx, FILES, [projectId, keys]);
  if (found.some(({ place }) => place !== 'database')) w.afterCommit(() => void dropSoon(projectId));
}

async function dropSoon(projectId: string): Promise<void> {
  await dropGoing(projectId).catch((error: unknown) =>
    log.warn({ err: error, projectId }, 'files that nobody has are dropped later'),
  );
}

const ALL = `update binary_file set state = 'going' where project_id = $1::uuid and place <> 'database' and state <> 'going'`;

/** All files of a project that is removed, before its rows are. */
export async function dropFilesOf(projectId: string, stopped?: AbortSignal): Promise<void> {
  await runText(db(), ALL, [projectId]);
  await dropGoing(projectId, stopped);
}
