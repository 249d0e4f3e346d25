import { and, eq, inArray, sql } from 'drizzle-orm';
import { db, type Queryable } from '#lib/infra/db/client.ts';
import { accessRefusal, type RefusalRow } from '#lib/infra/db/schema/access-refusal.ts';
import { flushRefusals } from './note-refusal.ts';

/** For how long one can be looked up. */
export const KEPT = sql`interval '7 days'`;

/** One that is not over; what this process has just refused, too. */
export async function findRefusal(projectId: string, id: string): Promise<RefusalRow | undefined> {
  await flushRefusals();
  const [row] = await db()
    .select()
    .from(accessRefusal)
    .where(
      and(eq(accessRefusal.projectId, projectId), eq(accessRefusal.id, id), sql`${accessRefusal.at} > now() - ${KEPT}`),
    );
  return row;
}

/** Those about these resources, which are erased. */
export async function forgetRefusals(
  tx: Queryable,
  projectId: string,
  type: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  await tx
    .delete(accessRefusal)
    .where(
      and(
        eq(accessRefusal.projectId, projectId),
        eq(accessRefusal.type, type),
        inArray(accessRefusal.resourceId, [...ids]),
      ),
    );
}
