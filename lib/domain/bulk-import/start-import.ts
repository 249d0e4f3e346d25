import { AppError } from '#lib/base/errors.ts';
import { newId } from '#lib/base/ids.ts';
import { seal } from '#lib/infra/crypto/seal.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import { lockName } from '#lib/infra/db/lock-name.ts';
import { bulkImport, bulkImportFile } from '#lib/infra/db/schema/fhir/bulk-import.ts';
import { keepProgress } from '#lib/infra/db/upkeep.ts';
import { OutsideRefused, requireOutside } from '#lib/infra/net/open-outside.ts';
import type { ImportInput } from '#lib/protocol/fhir/bulk/read-import-request.ts';
import { isIdentityType } from '#lib/protocol/fhir/type-ids.ts';
import { type Actor, type Ctx, callerOf, requireActor, requireProjectAdmin } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { throttle } from '../limits/throttle.ts';
import { ruleOf } from '../rest/type-rules.ts';
import { toAuthor } from '../sessions/author-of.ts';
import { hasOpen } from './import-rows.ts';
import { SEALED } from './sealed.ts';
import { workOf } from './work-of.ts';

const HOUR_MS = 3_600_000;
/** It is read for a day at most, and a day more how it ended. */
export const RUNS_MS = 24 * HOUR_MS;
export const KEPT_MS = 24 * HOUR_MS;
const RETRY_SECONDS = 60;
const OFTEN = { limit: 60, windowSeconds: 3600, refusal: 'Sixty imports were asked for within the hour' };

/**
 * Notes that an administrator of the project wants files read that others serve; returns its id. They are read beside (run-imports.ts), one import of
 * a project at a time. Throws 403 for everybody else, 400 for what cannot be read, by its place, and 429 while another is under way.
 */
export async function startImport(ctx: Ctx, inputs: readonly ImportInput[]): Promise<string> {
  const { projectId } = requireActor(ctx);
  const actor = requireImporter(ctx);
  for (const [at, input] of inputs.entries()) requireReadable(input, `input[${at}]`);
  await throttle(`bulk-import:${projectId}`, OFTEN.limit, OFTEN);
  const id = newId();
  await write(ctx, async (w) => {
    await lockName(w.tx, `bulk-import:${projectId}`);
    if (await hasOpen(w.tx, projectId)) throw underWay();
    const createdAt = new Date();
    const { requestId, remoteAddress } = ctx;
    const expiresAt = new Date(createdAt.getTime() + RUNS_MS + KEPT_MS);
    await w.tx.insert(bulkImport).values({ ...toAuthor(actor), id, requestId, remoteAddress, createdAt, expiresAt });
    for (const [number, input] of inputs.entries()) await insertFile(w.tx, { projectId, importId: id, number }, input);
    await keepProgress(workOf({ projectId, id }), {}, w.tx);
    const types = [...new Set(inputs.map(({ type }) => type))];
    w.audit({ projectId, action: 'import.start', target: `Import/${id}`, after: { files: inputs.length, types } });
  });
  return id;
}

/** 403 to whoever is no administrator of their project, and for who acts in another's name: it goes on when nobody looks. */
export function requireImporter(ctx: Ctx): Actor {
  const actor = requireProjectAdmin(ctx, requireActor(ctx).projectId);
  if (callerOf(actor) !== actor) throw new AppError('forbidden', 'An import is begun in one’s own name');
  return actor;
}

function requireReadable({ type, url }: ImportInput, at: string): void {
  const { elsewhere, closed, create } = ruleOf(type);
  if (isIdentityType(type) || elsewhere || closed?.create || create)
    throw bad(`${at}.type`, `${type} is not imported: it is more than its resource`);
  try {
    const { username, password } = requireOutside(url);
    if (username || password) throw bad(`${at}.url`, 'url must not hold a name or password');
  } catch (error) {
    if (error instanceof AppError) throw error;
    const why = error instanceof OutsideRefused ? `: ${error.message}` : '';
    throw bad(`${at}.url`, `url must be an address that we may fetch${why}`);
  }
}

type Key = { projectId: string; importId: string; number: number };

async function insertFile(tx: Queryable, key: Key, { type, url, etag }: ImportInput): Promise<void> {
  const urlSealed = seal(SEALED.bulk_import_file.purpose, url);
  await tx.insert(bulkImportFile).values({ ...key, type, urlSealed, wantedEtag: etag ?? null });
}

function underWay(): AppError {
  return new AppError('too-many-requests', 'An import of this project is under way; wait for it, or cancel it', {
    retryAfterSeconds: RETRY_SECONDS,
  });
}

function bad(expression: string, text: string): AppError {
  return new AppError('invalid', text, { expression });
}
