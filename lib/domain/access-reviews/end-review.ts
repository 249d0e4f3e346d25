import { createHash } from 'node:crypto';
import { env } from '#lib/base/env.ts';
import { type AccessReviewRow, accessReview } from '#lib/infra/db/schema/access-review.ts';
import { dropProgress } from '#lib/infra/db/upkeep.ts';
import { RESULT_TYPE, type ResultHead } from '#lib/protocol/access-reviews/result.ts';
import type { Ctx } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { keepKey } from '../audit-proof/keep-key.ts';
import { signingKeys } from '../signing/signing-keys.ts';
import { toJws } from '../signing/to-jws.ts';
import { resultPages } from './result-file.ts';
import { is } from './review-rows.ts';

/** All of a review is applied: what came of it is signed, and stands. */
export async function endReview(ctx: Ctx, review: AccessReviewRow, work: string): Promise<void> {
  const { projectId, id, name } = review;
  const hash = createHash('sha256');
  const counts: Record<string, number> = {};
  let rows = 0;
  for await (const page of resultPages(projectId, id)) {
    for (const { outcome } of page.lines) counts[outcome] = (counts[outcome] ?? 0) + 1;
    rows += page.lines.length;
    hash.update(page.text);
  }
  const [key] = await signingKeys();
  await keepKey(key);
  const sha256 = hash.digest('hex');
  const iat = Math.floor(Date.now() / 1000);
  const head: ResultHead = { iss: env().BASE_URL, project: projectId, review: id, name, rows, sha256, counts, iat };
  await write(ctx, async (w) => {
    const [row] = await w.tx.select().from(accessReview).where(is(projectId, id)).for('update');
    await dropProgress(work, w.tx);
    // Another process was quicker.
    if (row?.state !== 'closing') return w.unchanged();
    await w.tx
      .update(accessReview)
      .set({ state: 'closed', jws: toJws(key, head, RESULT_TYPE) })
      .where(is(projectId, id));
    const after = { review: id, counts, sha256 };
    w.audit({ projectId, action: 'access-review.end', target: `Project/${projectId}`, after });
  });
}
