import { and, asc, eq } from 'drizzle-orm';
import { db } from '#lib/infra/db/client.ts';
import { botRun } from '#lib/infra/db/schema/bots.ts';
import { isAnyUuidOf } from '#lib/infra/db/text-array.ts';

/** Which of these attempts are on record, and how they ended: those that were cut off are not. */
export async function findAttempts(projectId: string, ids: readonly string[]) {
  if (ids.length === 0) return [];
  return db()
    .select({
      status: botRun.status,
      message: botRun.message,
      startedAt: botRun.startedAt,
      fingerprint: botRun.fingerprint,
    })
    .from(botRun)
    .where(and(eq(botRun.projectId, projectId), isAnyUuidOf(botRun.id, ids)))
    .orderBy(asc(botRun.startedAt));
}
