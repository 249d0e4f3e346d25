import { desc, eq } from 'drizzle-orm';
import { notFound } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import { db } from '#lib/infra/db/client.ts';
import { auditHead } from '#lib/infra/db/schema/audit-chain.ts';
import type { HeadPage } from '#lib/protocol/answers/audit.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';
import { flushSeals } from '../audit/seal-soon.ts';
import { signHead } from './sign-head.ts';

/** The newest heads of the chain over the audit log, the first of them as it stands now. For administrators, who keep one elsewhere. */
export async function listHeads(ctx: Ctx, projectId: string, count: number): Promise<HeadPage> {
  requireProjectAdmin(ctx, projectId);
  if (!isUuid(projectId)) throw notFound();
  await flushSeals();
  await signHead(projectId);
  const rows = await db()
    .select()
    .from(auditHead)
    .where(eq(auditHead.projectId, projectId))
    .orderBy(desc(auditHead.seq))
    .limit(count);
  return { heads: rows.map(({ seq, at, jws }) => ({ seq, at: at.toISOString(), jws })) };
}
