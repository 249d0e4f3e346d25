import { and, count, eq, isNull } from 'drizzle-orm';
import { AppError } from '#lib/base/errors.ts';
import { newId } from '#lib/base/ids.ts';
import { isKeyedHash, keyedHash } from '#lib/infra/crypto/keyed-hash.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import { lockName } from '#lib/infra/db/lock-name.ts';
import { bulkJob, bulkJobRow } from '#lib/infra/db/schema/operations.ts';
import { queueJob } from '#lib/infra/jobs/queue-job.ts';
import type { BulkJobRequest } from '#lib/protocol/requests/bulk-job.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { shareProject } from '../memberships/share-project.ts';
import { requireProof } from '../proofs/require-proof.ts';
import { type BulkRowInput, toBulkRows, touchesAdmins } from './rows.ts';

const MOST_UNFINISHED = 10;
const CHUNK = 1000;

/**
 * Queues a change of many: one row for each, which the worker runs one by one. With the `idempotencyKey` of an earlier job it is that
 * one again, as long as the request is the same (422 otherwise). Throws 409 when the project has ten unfinished ones.
 */
export async function startBulkJob(
  ctx: Ctx,
  projectId: string,
  request: BulkJobRequest,
): Promise<{ id: string; replayed: boolean }> {
  const actor = requireProjectAdmin(ctx, projectId);
  const { idempotencyKey: key } = request;
  const content = JSON.stringify(request);
  const requestHash = key === undefined ? null : keyedHash('bulk-job', content);
  return write(ctx, async (w) => {
    await lockName(w.tx, `bulk:${projectId}`);
    await shareProject(w.tx, projectId);
    const known = key === undefined ? undefined : await findKnown(w.tx, projectId, actor.membershipId, key);
    if (known && !isKeyedHash('bulk-job', content, known.requestHash ?? '')) {
      throw new AppError('business-rule', 'This idempotencyKey was used for another job', {
        expression: 'idempotencyKey',
      });
    }
    // Asked twice, done once; that it was asked is worth a line.
    if (known) {
      w.audit({ projectId, action: 'job.repeat', target: `Project/${projectId}`, after: { job: known.id } });
      return { id: known.id, replayed: true };
    }
    await requireRoom(w.tx, projectId);
    const id = newId();
    const rows = await toBulkRows(w.tx, projectId, id, request);
    if (await touchesAdmins(w.tx, projectId, request, rows)) await requireProof(actor, w.tx);
    await w.tx.insert(bulkJob).values({
      projectId,
      id,
      kind: request.kind,
      actorProjectId: actor.projectId,
      actorMembershipId: actor.membershipId,
      actor: actor.profile,
      actorDisplay: actor.profileDisplay,
      loginId: actor.loginId,
      onBehalfOf: actor.caller?.profile,
      requestId: ctx.requestId,
      remoteAddress: ctx.remoteAddress,
      idempotencyKey: key,
      requestHash,
    });
    await insertRows(w.tx, rows);
    await queueJob(w.tx, 'bulk', { projectId, jobId: id });
    const after = { job: id, kind: request.kind, rows: rows.length };
    w.audit({ projectId, action: 'job.start', target: `Project/${projectId}`, after });
    return { id, replayed: false };
  });
}

async function findKnown(tx: Queryable, projectId: string, membershipId: string, key: string) {
  const [known] = await tx
    .select({ id: bulkJob.id, requestHash: bulkJob.requestHash })
    .from(bulkJob)
    .where(
      and(
        eq(bulkJob.projectId, projectId),
        eq(bulkJob.actorMembershipId, membershipId),
        eq(bulkJob.idempotencyKey, key),
      ),
    );
  return known;
}

async function requireRoom(tx: Queryable, projectId: string): Promise<void> {
  const [open] = await tx
    .select({ jobs: count() })
    .from(bulkJob)
    .where(and(eq(bulkJob.projectId, projectId), isNull(bulkJob.finishedAt)));
  if ((open?.jobs ?? 0) >= MOST_UNFINISHED) {
    throw new AppError('conflict', `${MOST_UNFINISHED} jobs of this project are unfinished; wait for one of them`);
  }
}

async function insertRows(tx: Queryable, rows: BulkRowInput[]): Promise<void> {
  for (let at = 0; at < rows.length; at += CHUNK) await tx.insert(bulkJobRow).values(rows.slice(at, at + CHUNK));
}
