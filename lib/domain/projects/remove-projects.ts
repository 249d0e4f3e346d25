import { eq, sql } from 'drizzle-orm';
import { eachAlone } from '#lib/base/each-alone.ts';
import { SERVER_SCOPE } from '#lib/base/ids.ts';
import { log } from '#lib/base/log.ts';
import { db } from '#lib/infra/db/client.ts';
import { dropProject } from '#lib/infra/db/drop/drop-project.ts';
import { mailDomain } from '#lib/infra/db/schema/mail-domain.ts';
import { dropProgress, keepProgress, listProgress } from '#lib/infra/db/upkeep.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import type { Project } from '#lib/protocol/fhir/types.ts';
import { policiesTag, projectTag } from '../access/cache-tags.ts';
import type { Ctx, Write } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { dropFilesOf } from '../bytes/drop-bytes.ts';
import { endConfiguration } from '../mail-domains/configuration.ts';
import { deleteRow } from '../store/delete-row.ts';
import { lockRow } from '../store/find-row.ts';
import { toResource } from '../store/row.ts';
import { mailRemoval, makeWayBack, REMOVALS, type Removal } from './ask-removal.ts';
import { takeWayBack } from './settle-closing.ts';

const NOTICE_MS = 7 * 86_400_000;

/**
 * Closed projects whose time is over (`askRemoval`) are removed for good: first nobody finds them any more, in one transaction that the server's log tells of;
 * then their rows go, step by step. What was begun by a process that was killed goes on. The project's audit log stays, with its chain and its signed
 * heads. The caller sees to it that of several instances one does it.
 */
export async function removeProjects(ctx: Ctx, stopped?: AbortSignal, now = Date.now()): Promise<void> {
  const removals = await listProgress<Removal>(REMOVALS);
  await eachAlone(removals, stopped, 'a project was not removed', async ({ name, progress }) => {
    const projectId = name.slice(REMOVALS.length);
    const due = Date.parse(progress.due);
    if (progress.began || (due <= now && (await begin(ctx, projectId, progress)))) await finish(projectId, stopped);
    else if (due > now && !progress.noticed && due - now < NOTICE_MS) await notice(ctx, projectId, progress);
  });
}

/** False for one that was opened meanwhile. */
function begin(ctx: Ctx, projectId: string, removal: Removal): Promise<boolean> {
  return write(ctx, async (w) => {
    const row = await lockRow(w.tx, projectId, 'Project', projectId);
    const project = row && !row.deleted ? toResource<Project>(row) : undefined;
    if (!row || project?.active !== false || project.superAdmin) {
      await dropProgress(`${REMOVALS}${projectId}`);
      w.unchanged();
      return false;
    }
    await takeWayBack(w, projectId, project);
    await endDomains(w, projectId);
    await deleteRow(w, row, undefined);
    const after = { name: project.name, asked: removal.due };
    for (const log of [projectId, SERVER_SCOPE])
      w.audit({ projectId: log, action: 'project.delete', target: `Project/${projectId}`, after });
    await keepProgress(`${REMOVALS}${projectId}`, { ...removal, began: true }, w.tx);
    w.invalidate(projectTag(projectId));
    w.invalidate(policiesTag(projectId));
    return true;
  });
}

/** They stand in the project of the server's administrators. */
async function endDomains(w: Write, projectId: string): Promise<void> {
  const domains = await w.tx
    .select({ domain: mailDomain.domain })
    .from(mailDomain)
    .where(eq(mailDomain.projectId, projectId));
  for (const { domain } of domains) await endConfiguration(w, projectId, domain);
}

async function finish(projectId: string, stopped: AbortSignal | undefined): Promise<void> {
  const peopleOf = async (after: string, most: number) => {
    const rows = await db().execute<{ id: string }>(sql`
      select u.id from resource u where u.project_id = ${projectId} and u.type_id = ${typeId('User')} and not u.deleted
        and u.id > ${after} order by u.id limit ${most}`);
    return rows.map(({ id }) => id);
  };
  await dropFilesOf(projectId, stopped);
  if (!(await dropProject(projectId, peopleOf, stopped))) return;
  await dropProgress(`${REMOVALS}${projectId}`);
  log.info({ projectId }, 'a project was removed');
}

/** The owner's older link ends: this one is in their hands. */
function notice(ctx: Ctx, projectId: string, removal: Removal): Promise<void> {
  return write(ctx, async (w) => {
    const row = await lockRow(w.tx, projectId, 'Project', projectId);
    const project = row && !row.deleted ? toResource<Project>(row) : undefined;
    if (project?.active !== false) return w.unchanged();
    const wayBack = await makeWayBack(w, projectId, project);
    if (wayBack) await mailRemoval(w, projectId, project, wayBack, removal.due);
    await keepProgress(`${REMOVALS}${projectId}`, { ...removal, noticed: true }, w.tx);
    const after = { due: removal.due, notice: wayBack ? 'mailed' : 'none' };
    w.audit({ projectId, action: 'project.removal', target: `Project/${projectId}`, after });
  });
}
