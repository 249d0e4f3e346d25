import { sql } from 'drizzle-orm';
import { log } from '#lib/base/log.ts';
import { db } from '#lib/infra/db/client.ts';
import { tryLease } from '#lib/infra/db/single/leases.ts';
import { expireInvites } from './expire-invites.ts';
import { foldCounts } from './fold-counts.ts';
import { markGonePolicies } from './mark-gone-policies.ts';
import { markGoneProfiles } from './mark-gone-profiles.ts';
import { recountMembers } from './recount-members.ts';
import { noteFactors } from './refresh-factors.ts';
import { repairStanding } from './repair-standing.ts';

const HOURS = 24;

/**
 * What nobody tells, in every project: that time has passed, that a profile or policy is gone. A wrong counter is set right within the hour, and all
 * that is stored is looked at again once a day, of each project in its own hour. Of several instances at once one does it.
 */
export async function sweepStanding(stopped?: AbortSignal, now = new Date()): Promise<void> {
  const lease = await tryLease('standing', 1);
  if (!lease) return;
  try {
    const projects = await db().execute<{ id: string }>(sql`select distinct project_id as id from membership_key`);
    for (const { id } of projects) {
      if (stopped?.aborted) return;
      await sweepProject(id, isTurnOf(id, now));
    }
  } finally {
    lease.release();
  }
}

async function sweepProject(projectId: string, isTurn: boolean): Promise<void> {
  await expireInvites(projectId);
  await noteFactors(projectId);
  const gone = (await markGoneProfiles(projectId)) + (await markGonePolicies(projectId));
  const wrong = isTurn ? await repairStanding(projectId) : await recountMembers(projectId);
  await foldCounts(projectId);
  if (gone + wrong > 0) log.warn({ projectId, gone, wrong }, 'what was stored of members was set right');
}

function isTurnOf(projectId: string, now: Date): boolean {
  return Number.parseInt(projectId.slice(-8), 16) % HOURS === now.getUTCHours();
}
