import { and, eq, gt, isNull, or } from 'drizzle-orm';
import { db } from '#lib/infra/db/client.ts';
import { createLiveCache } from '#lib/infra/db/live-cache.ts';
import { recordErasure } from '#lib/infra/db/schema/fhir/record-erasure.ts';
import { erasuresTag } from '../../access/cache-tags.ts';

/** No run lasts longer, with what it waits. */
export const LONGEST_MS = 60 * 60 * 1000;
/** A call may wait so long for its turn, with what it was given. */
const WAITED_MS = 60_000;

const known = createLiveCache<{ patientId: string; until: number }[]>(1000);

/**
 * Patients whose record is being erased, or was when something began then: what ends now and names one of them may have been given it before it was gone, and
 * has nothing more of it to say. Without a query where nobody has asked for an erasure.
 */
export async function erasedSince(projectId: string, since: Date): Promise<string[]> {
  const found = await known.get(projectId, async () => {
    const { patientId, finishedAt } = recordErasure;
    const recent = gt(finishedAt, new Date(Date.now() - LONGEST_MS));
    const rows = await db()
      .select({ patientId, finishedAt })
      .from(recordErasure)
      .where(and(eq(recordErasure.projectId, projectId), or(isNull(finishedAt), recent)));
    const value = rows.map((row) => ({ patientId: row.patientId, until: row.finishedAt?.getTime() ?? Infinity }));
    return { value, tags: [erasuresTag(projectId)] };
  });
  return found.filter(({ until }) => until >= since.getTime() - WAITED_MS).map(({ patientId }) => patientId);
}
