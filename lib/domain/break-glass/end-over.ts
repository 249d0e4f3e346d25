import { sql } from 'drizzle-orm';
import { eachAlone } from '#lib/base/each-alone.ts';
import { db } from '#lib/infra/db/client.ts';
import { breakGlass } from '#lib/infra/db/schema/access/break-glass.ts';
import { projectsIn } from '#lib/infra/db/sweep.ts';
import type { Ctx } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { takeEntry } from './end-grant.ts';
import { findGrant, is, lockGrant } from './grant-rows.ts';

/** Of one round and project: the next one goes on. */
const MOST = 500;

/**
 * Notes grants whose time is over, and takes their entries out of the memberships. That they are over the engine asks at each moment by itself. What was
 * not reviewed waits on.
 */
export async function endOverGrants(ctx: Ctx, stopped?: AbortSignal): Promise<void> {
  for await (const projectId of projectsIn('break_glass', stopped)) {
    await eachAlone(await findOver(projectId), stopped, 'the end of an emergency access was not noted', (id) =>
      end(ctx, projectId, id),
    );
  }
}

async function findOver(projectId: string): Promise<string[]> {
  const rows = await db().execute<{ id: string }>(sql`
    select id::text as id from break_glass
    where project_id = ${projectId} and ended_at is null and ends_at <= now() order by ends_at limit ${MOST}`);
  return rows.map(({ id }) => id);
}

async function end(ctx: Ctx, projectId: string, id: string): Promise<void> {
  await write(ctx, async (w) => {
    const { membershipId, endsAt } = await findGrant(projectId, id, w.tx);
    await takeEntry(w, { projectId, membershipId, grantId: id, at: endsAt });
    const row = await lockGrant(w.tx, projectId, id);
    if (row.endedAt || row.endsAt > new Date()) return w.unchanged();
    await w.tx.update(breakGlass).set({ endedAt: sql`ends_at`, endedBy: 'time' }).where(is(projectId, id));
    w.audit({
      projectId,
      action: 'break-glass.end',
      target: `ProjectMembership/${membershipId}`,
      after: { grant: id },
    });
  });
}
