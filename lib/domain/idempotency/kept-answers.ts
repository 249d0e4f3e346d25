import { and, eq, gt, or, sql } from 'drizzle-orm';
import { AppError } from '#lib/base/errors.ts';
import { newId } from '#lib/base/ids.ts';
import { isKeyedHash, keyedHash } from '#lib/infra/crypto/keyed-hash.ts';
import { seal, unseal } from '#lib/infra/crypto/seal.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import { idempotencyKey } from '#lib/infra/db/schema/operations.ts';
import { type Ctx, callerOf, requireActor } from '../access/context.ts';
import { SEALED } from './sealed.ts';

/** A request that its caller has given a name. The same name for another `content` is a mistake. */
export type NamedRequest = {
  projectId: string;
  membershipId: string;
  key: string;
  /** All of it that makes it what it is. */
  content: string;
  /** For how long it is told again. Default: a day, which is also the most. */
  keptMs?: number;
};

/** What was answered, as it is told again. */
export type KeptAnswer = {
  status: number;
  headers?: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer>;
  contentType?: string;
};

const PURPOSE = SEALED.idempotency_key.purpose;
const KEPT_MS = 24 * 3_600_000;
/** Nobody has said for so long that the work goes on (run-claimed.ts): its process is gone. Senders of webhooks come again for minutes, not for hours. */
const ABANDONED_MS = 120_000;
/** Status of a claim whose answer is still to come. */
const RUNNING = 0;
/** By the clock of the database, which all processes share. */
const AGE_MS = sql<number>`(extract(epoch from now() - ${idempotencyKey.createdAt}) * 1000)::float8`;

/** Of who really calls: nobody is told again what somebody else was told. `content` may hold a password: only its keyed hash is kept. */
export function nameRequest(ctx: Ctx, key: string, content: string): NamedRequest {
  const actor = requireActor(ctx);
  const { projectId, membershipId } = callerOf(actor);
  const all = actor.caller ? `${content}\n${actor.membershipId}` : content;
  return { projectId, membershipId, key, content: all };
}

/** The answer that this request has had. Throws 422 when its name was another request's, 409 while the first one runs. */
export async function findAnswer(q: Queryable, request: NamedRequest): Promise<KeptAnswer | undefined> {
  const [found] = await q.select({ row: idempotencyKey, ageMs: AGE_MS }).from(idempotencyKey).where(isOf(request));
  if (!found) return undefined;
  const { row, ageMs } = found;
  if (ageMs > (row.status === RUNNING ? ABANDONED_MS : (request.keptMs ?? KEPT_MS))) return undefined;
  if (!isKeyedHash(PURPOSE, request.content, row.requestHash)) {
    throw new AppError('business-rule', 'This Idempotency-Key was used for another request');
  }
  if (row.status === RUNNING) throw stillRunning();
  const { text, base64, contentType } = JSON.parse(unseal(PURPOSE, row.body)) as SealedBody;
  return {
    status: row.status,
    headers: row.headers as Record<string, string>,
    contentType,
    body: base64 === undefined ? text : new Uint8Array(Buffer.from(base64, 'base64')),
  };
}

type SealedBody = { text?: string; base64?: string; contentType?: string };

/** Sealed: an answer may hold what is told only once. */
export async function keepAnswer(q: Queryable, request: NamedRequest, answer: KeptAnswer): Promise<void> {
  const { status, headers = {}, body, contentType } = answer;
  const content: SealedBody =
    typeof body === 'string' ? { text: body } : { base64: body && Buffer.from(body).toString('base64') };
  const row = {
    status,
    headers,
    body: seal(PURPOSE, JSON.stringify({ ...content, contentType })),
    createdAt: sql`now()`,
  };
  const { projectId, membershipId, key, content: asked } = request;
  const requestHash = keyedHash(PURPOSE, asked);
  await q
    .insert(idempotencyKey)
    .values({ projectId, membershipId, key, requestHash, ...row })
    .onConflictDoUpdate({
      target: [idempotencyKey.projectId, idempotencyKey.membershipId, idempotencyKey.key],
      set: { requestHash, ...row },
    });
}

/** Of a name that is ours: the work is to be done. */
export type Claim = { token: string };

/** The answer of an earlier request, or the claim to this. Throws as `findAnswer` does. */
export async function claimRequest(q: Queryable, request: NamedRequest): Promise<KeptAnswer | Claim> {
  const { content, keptMs = KEPT_MS, ...name } = request;
  const requestHash = keyedHash(PURPOSE, content);
  // Whoever takes it over later has another token: what the first one says then is not of theirs.
  const token = newId();
  const claim = { requestHash, status: RUNNING, headers: { token }, body: '', createdAt: sql`now()` };
  const made = await q
    .insert(idempotencyKey)
    .values({ ...name, ...claim })
    .onConflictDoNothing()
    .returning({ key: idempotencyKey.key });
  if (made.length > 0) return { token };
  const known = await findAnswer(q, request);
  if (known) return known;
  // Abandoned or too old: of several that want it, one takes it over.
  const [taken] = await q
    .update(idempotencyKey)
    .set(claim)
    .where(
      and(isOf(request), or(gt(AGE_MS, ABANDONED_MS), and(gt(idempotencyKey.status, RUNNING), gt(AGE_MS, keptMs)))),
    )
    .returning({ key: idempotencyKey.key });
  if (taken) return { token };
  throw stillRunning();
}

/** The work of a claim goes on. */
export async function holdClaim(q: Queryable, request: NamedRequest, claim: Claim): Promise<void> {
  await q.update(idempotencyKey).set({ createdAt: sql`now()` }).where(isClaim(request, claim));
}

/** It came to nothing that is kept, and may be tried again. */
export async function dropClaim(q: Queryable, request: NamedRequest, claim: Claim): Promise<void> {
  await q.delete(idempotencyKey).where(isClaim(request, claim));
}

function isClaim(request: NamedRequest, { token }: Claim) {
  return and(isOf(request), eq(idempotencyKey.status, RUNNING), sql`${idempotencyKey.headers}->>'token' = ${token}`);
}

function isOf({ projectId, membershipId, key }: NamedRequest) {
  return and(
    eq(idempotencyKey.projectId, projectId),
    eq(idempotencyKey.membershipId, membershipId),
    eq(idempotencyKey.key, key),
  );
}

function stillRunning(): AppError {
  return new AppError('conflict', 'The first request with this Idempotency-Key is still running', {
    retryAfterSeconds: 1,
  });
}
