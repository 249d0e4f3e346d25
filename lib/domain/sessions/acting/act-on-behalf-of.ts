import { sql } from 'drizzle-orm';
import { AppError } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import { db } from '#lib/infra/db/client.ts';
import { type Actor, type Ctx, requireActor } from '../../access/context.ts';
import { IN_TIME } from '../../standing/in-time.ts';
import { findProven } from '../../standing/load-invites.ts';
import { loadActor } from '../load-actor.ts';
import { cachedActor } from '../session-cache.ts';

/** On one profile. */
const MOST = 20;

/**
 * X-Medplum-On-Behalf-Of (contract §1.4): an admin acts with the rights of another member of the same project, named by
 * `ProjectMembership/<id>` or by a profile reference. Every audit row of the request says who really did it.
 */
export async function actOnBehalfOf(ctx: Ctx, reference: string): Promise<Actor> {
  const caller = requireActor(ctx);
  if (!caller.admin) throw new AppError('unauthorized', 'Only an administrator can act on behalf of another member');
  const target = await findActor(caller.projectId, reference, caller.scope);
  if (!target) throw new AppError('not-found', 'Not found');
  const { loginId, clientId, scope } = caller;
  return { ...target, loginId, clientId, scope, caller };
}

/** The active member that a reference names. Not one who has yet to prove who they are: nobody has their rights. */
export async function findActor(projectId: string, reference: string, scope: string): Promise<Actor | undefined> {
  const membershipId = await findMembership(projectId, reference);
  if (!membershipId) return undefined;
  return cachedActor(`member:${membershipId}`, () => loadActor({ projectId, membershipId, scope })).catch(asNobody);
}

/** A client that is switched off, or who went this moment. */
function asNobody(error: unknown): undefined {
  if (error instanceof AppError && error.code === 'unauthorized') return undefined;
  throw error;
}

async function findMembership(projectId: string, reference: string): Promise<string | undefined> {
  const [type, id] = reference.split('/');
  const wanted =
    type === 'ProjectMembership' ? sql`membership_id::text = ${isUuid(id) ? id : ''}` : sql`profile_ref = ${reference}`;
  const rows = await db().execute<{ membership_id: string; user_ref: string; awaits_proof: boolean }>(sql`
    select membership_id, user_ref, awaits_proof from membership_key
    where project_id = ${projectId} and ${wanted} and active and ${IN_TIME} order by slot limit ${MOST}`);
  for (const row of rows) {
    if (!row.awaits_proof || (await isProven(projectId, row.user_ref))) return row.membership_id;
  }
  return undefined;
}

async function isProven(projectId: string, userRef: string): Promise<boolean> {
  return (await findProven(db(), projectId, [userRef.slice('User/'.length)])).size > 0;
}
