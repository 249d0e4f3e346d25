import { and, eq, lt } from 'drizzle-orm';
import { AppError } from '#lib/base/errors.ts';
import { type Actor, type Ctx, requireActor } from '#lib/domain/access/context.ts';
import { write } from '#lib/domain/audit/write.ts';
import { keyedHash } from '#lib/infra/crypto/keyed-hash.ts';
import { seal, unseal } from '#lib/infra/crypto/seal.ts';
import { db, type Queryable } from '#lib/infra/db/client.ts';
import { lockName } from '#lib/infra/db/lock-name.ts';
import { idempotencyKey } from '#lib/infra/db/schema/operations.ts';
import type { Reply } from './reply.ts';

const PURPOSE = 'idempotency';
const KEPT_MS = 24 * 3_600_000;
/** A run that claimed its key and was cut off: longer than any bot may take. */
const ABANDONED_MS = 20 * 60_000;
/** Status of a claim whose answer is still to come. */
const RUNNING = 0;

/**
 * Runs a change once for each Idempotency-Key of a caller: the answer is stored in the change's own transaction, so it is kept exactly
 * if the change is. The same key with the same body gives that answer again (`Idempotent-Replayed: true`) for 24 hours, with another
 * body or path 422; a change that fails leaves nothing, and may be tried again. Without the header it just runs.
 */
export async function onceInTransaction(
  ctx: Ctx,
  request: Request,
  body: unknown,
  run: (ctx: Ctx) => Promise<Reply>,
): Promise<Reply> {
  const key = readKey(ctx, request, body);
  if (!key) return run(ctx);
  const known = await findReply(db(), key);
  if (known) return known;
  try {
    return await write(ctx, async (w, inside) => {
      await lockName(w.tx, `idempotency:${key.membershipId}:${key.key}`);
      const reply = await findReply(w.tx, key);
      if (reply) throw new Replay(reply);
      const made = await run(inside);
      await save(w.tx, key, made);
      return made;
    });
  } catch (error) {
    if (error instanceof Replay) return error.reply;
    throw error;
  }
}

/**
 * As `onceInTransaction`, for work that must not hold a transaction (a bot's run): the key is claimed first. While the first one runs,
 * the same key answers 409. Only an answer below 400 is kept: whatever else happened may be tried again.
 */
export async function onceClaimed(
  ctx: Ctx,
  request: Request,
  body: unknown,
  run: () => Promise<Reply>,
): Promise<Reply> {
  const key = readKey(ctx, request, body);
  if (!key) return run();
  const known = await claim(key);
  if (known) return known;
  try {
    const reply = await run();
    if (reply.status < 400) await save(db(), key, reply);
    else await forget(key);
    return reply;
  } catch (error) {
    await forget(key);
    throw error;
  }
}

type Key = Pick<typeof idempotencyKey.$inferSelect, 'projectId' | 'membershipId' | 'key' | 'requestHash'>;

class Replay extends Error {
  readonly reply: Reply;

  constructor(reply: Reply) {
    super('replay');
    this.reply = reply;
  }
}

/** The body may hold a password: only its keyed hash is kept. */
function readKey(ctx: Ctx, request: Request, body: unknown): Key | undefined {
  const key = request.headers.get('idempotency-key');
  if (key === null) return undefined;
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw new AppError('invalid', 'Idempotency-Key must be 1 to 255 visible ASCII characters', {
      expression: 'Idempotency-Key',
    });
  }
  const { projectId, membershipId }: Actor = requireActor(ctx);
  const { pathname, search } = new URL(request.url);
  const text = [request.method, pathname, search, JSON.stringify(body) ?? ''].join('\n');
  return { projectId, membershipId, key, requestHash: keyedHash(PURPOSE, text) };
}

function isKey({ projectId, membershipId, key }: Key) {
  return and(
    eq(idempotencyKey.projectId, projectId),
    eq(idempotencyKey.membershipId, membershipId),
    eq(idempotencyKey.key, key),
  );
}

async function findReply(q: Queryable, key: Key): Promise<Reply | undefined> {
  const [row] = await q.select().from(idempotencyKey).where(isKey(key));
  return row && toReply(row, key);
}

type Stored = typeof idempotencyKey.$inferSelect;
type StoredBody = { text?: string; base64?: string; contentType?: string };

function toReply(row: Stored, key: Key): Reply | undefined {
  const age = Date.now() - row.createdAt.getTime();
  if (age > (row.status === RUNNING ? ABANDONED_MS : KEPT_MS)) return undefined;
  if (row.requestHash !== key.requestHash) {
    throw new AppError('business-rule', 'This Idempotency-Key was used for another request');
  }
  if (row.status === RUNNING) {
    throw new AppError('conflict', 'The first request with this Idempotency-Key is still running', {
      retryAfterSeconds: 1,
    });
  }
  const { text, base64, contentType } = JSON.parse(unseal(PURPOSE, row.body)) as StoredBody;
  return {
    status: row.status,
    headers: { ...(row.headers as Record<string, string>), 'idempotent-replayed': 'true' },
    contentType,
    body: base64 === undefined ? text : new Uint8Array(Buffer.from(base64, 'base64')),
  };
}

/** Sealed: an answer may hold what is told only once. */
async function save(q: Queryable, key: Key, { status, headers = {}, body, contentType }: Reply): Promise<void> {
  const content: StoredBody =
    typeof body === 'string' ? { text: body } : { base64: body && Buffer.from(body).toString('base64') };
  const row = {
    status,
    headers,
    body: seal(PURPOSE, JSON.stringify({ ...content, contentType })),
    createdAt: new Date(),
  };
  const { projectId, membershipId, key: name, requestHash } = key;
  await q
    .insert(idempotencyKey)
    .values({ projectId, membershipId, key: name, requestHash, ...row })
    .onConflictDoUpdate({
      target: [idempotencyKey.projectId, idempotencyKey.membershipId, idempotencyKey.key],
      set: { requestHash, ...row },
    });
}

/** Undefined: the key is ours, and the work is to be done. */
async function claim(key: Key): Promise<Reply | undefined> {
  const values = { ...key, status: RUNNING, headers: {}, body: '', createdAt: new Date() };
  const made = await db()
    .insert(idempotencyKey)
    .values(values)
    .onConflictDoNothing()
    .returning({ key: idempotencyKey.key });
  if (made.length > 0) return undefined;
  const known = await findReply(db(), key);
  if (known) return known;
  // Abandoned or too old: of several that want it, one takes it over.
  const [taken] = await db()
    .update(idempotencyKey)
    .set(values)
    .where(and(isKey(key), lt(idempotencyKey.createdAt, new Date(Date.now() - ABANDONED_MS))))
    .returning({ key: idempotencyKey.key });
  if (taken) return undefined;
  throw new AppError('conflict', 'The first request with this Idempotency-Key is still running', {
    retryAfterSeconds: 1,
  });
}

async function forget(key: Key): Promise<void> {
  await db()
    .delete(idempotencyKey)
    .where(and(isKey(key), eq(idempotencyKey.status, RUNNING)));
}
