import { sql } from 'drizzle-orm';
import { eachAlone } from '#lib/base/each-alone.ts';
import { db, type Queryable } from '#lib/infra/db/client.ts';
import { type AccessRequestRow, accessRequest } from '#lib/infra/db/schema/access-request.ts';
import { projectsIn } from '#lib/infra/db/sweep.ts';
import type { Project, ProjectMembership } from '#lib/protocol/fhir/types.ts';
import type { Ctx } from '../access/context.ts';
import { entryName } from '../access/entry-name.ts';
import { write } from '../audit/write.ts';
import { findEach } from '../store/find-row.ts';
import { toResource } from '../store/row.ts';
import { is } from './request-rows.ts';
import { tellEnded, tellLapsed } from './tell-requests.ts';

/** Of one round and project: the next one goes on. */
const MOST = 500;

/**
 * Notes what was granted and has ended, and what nobody decided about in time or whose member is gone, and tells both by mail, once. Of several
 * processes at once one does it, and one that was killed leaves it to the next round. That an entry is over the engine asks at each moment by itself.
 */
export async function endRequests(ctx: Ctx, stopped?: AbortSignal): Promise<void> {
  for await (const projectId of projectsIn('access_request', stopped)) {
    await eachAlone(await findDue(projectId), stopped, 'the end of an access request was not noted', (id) =>
      end(ctx, projectId, id),
    );
  }
}

async function findDue(projectId: string): Promise<string[]> {
  const rows = await db().execute<{ id: string }>(sql`
    select r.id::text as id from access_request r where r.project_id = ${projectId} and (r.due_at <= now() or (r.state = 'open' and not exists (
      select from membership_key k where k.project_id = ${projectId} and k.membership_id = r.membership_id))) limit ${MOST}`);
  return rows.map(({ id }) => id);
}

async function end(ctx: Ctx, projectId: string, id: string): Promise<void> {
  await write(ctx, async (w) => {
    const [row] = await w.tx.select().from(accessRequest).where(is(projectId, id)).for('update', { skipLocked: true });
    const { project, membership } = row ? await findScene(w.tx, row) : {};
    const isDue = row?.dueAt && row.dueAt <= new Date();
    if (!row || !(isDue || (row.state === 'open' && !membership))) return w.unchanged();
    const state = row.state === 'open' ? 'lapsed' : 'ended';
    const ended = state === 'lapsed' ? { closedAt: new Date() } : {};
    await w.tx
      .update(accessRequest)
      .set({ state, dueAt: null, ...ended })
      .where(is(projectId, id));
    // What an administrator took away earlier, or gave for longer, does not end now.
    const tells = project?.active !== false && membership && (state === 'lapsed' || hasStill(membership, row));
    if (tells && state === 'lapsed') await tellLapsed(w.tx, row);
    if (tells && state === 'ended') await tellEnded(w.tx, row);
    const after = { request: id, told: tells === true };
    const action = state === 'lapsed' ? 'access-request.lapse' : 'access-request.end';
    w.audit({ projectId, action, target: `ProjectMembership/${row.membershipId}`, after });
  });
}

async function findScene(tx: Queryable, { projectId, membershipId }: AccessRequestRow) {
  const [project, membership] = await findEach(
    projectId,
    [
      ['Project', projectId],
      ['ProjectMembership', membershipId],
    ],
    tx,
  );
  return {
    project: project && toResource<Project>(project),
    membership: membership && toResource<ProjectMembership>(membership),
  };
}

function hasStill({ access = [] }: ProjectMembership, { entry }: AccessRequestRow): boolean {
  return entry !== null && access.some((one) => entryName(one) === entryName(entry));
}
