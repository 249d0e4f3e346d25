import { sql } from 'drizzle-orm';
import { AppError } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import { db } from '#lib/infra/db/client.ts';
import { type Actor, type Ctx, requireActor } from '../access/context.ts';
import { loadActor } from './load-actor.ts';
import { cachedActor } from './session-cache.ts';

/**
 * X-Medplum-On-Behalf-Of (contract §1.4): an admin acts with the rights of another member of the same project, named by
 * `ProjectMembership/<id>` or by a profile reference. Every audit row of the request says who really did it.
 */
export async function actOnBehalfOf(ctx: Ctx, reference: string): Promise<Actor> {
  const caller = requireActor(ctx);
  if (!caller.admin) throw new AppError('unauthorized', 'Only an administrator can act on behalf of another member');
  const membershipId = await findMembership(caller.projectId, reference);
  if (!membershipId) throw new AppError('not-found', 'Not found');
  const { projectId, loginId, clientId, scope } = caller;
  const target = await cachedActor(`member:${membershipId}`, () => loadActor({ projectId, membershipId, scope }));
  return { ...target, loginId, clientId, scope, onBehalfOfBy: caller.profile };
}

async function findMembership(projectId: string, reference: string): Promise<string | undefined> {
  const [type, id] = reference.split('/');
  const wanted =
    type === 'ProjectMembership' ? sql`membership_id::text = ${isUuid(id) ? id : ''}` : sql`profile_ref = ${reference}`;
  const [row] = await db().execute<{ membership_id: string }>(sql`
    select membership_id from membership_key where project_id = ${projectId} and ${wanted} and active order by slot limit 1`);
  return row?.membership_id;
}
