import { and, eq, sql } from 'drizzle-orm';
import { AppError } from '#lib/base/errors.ts';
import { SERVER_SCOPE } from '#lib/base/ids.ts';
import type { Queryable } from '#lib/infra/db/client.ts';
import { membershipKey } from '#lib/infra/db/schema/identity.ts';
import { together } from '#lib/infra/db/together.ts';
import { toGoneAt } from '#lib/protocol/answers/removed.ts';
import { typeId } from '#lib/protocol/fhir/type-ids.ts';
import type { ProjectMembership, User } from '#lib/protocol/fhir/types.ts';
import { membershipTag } from '../access/cache-tags.ts';
import type { Actor, Write } from '../access/context.ts';
import { findUser } from '../accounts/find-user.ts';
import { restoreUser } from '../accounts/restore-user.ts';
import { keepMembershipLinks } from '../links/end-membership-links.ts';
import { requireFreeProfile } from '../profiles/require-free-profile.ts';
import { requireProfile } from '../profiles/resolve-profile.ts';
import { requireProof } from '../proofs/require-proof.ts';
import { refreshFactors } from '../standing/refresh-factors.ts';
import { findRow, shareRow } from '../store/find-row.ts';
import { requireValid } from '../store/require-valid.ts';
import { type Row, toResource } from '../store/row.ts';
import { updateRow } from '../store/update-row.ts';
import { endNone, insertKey, noteMember, tellShared, toFacts } from './membership-key.ts';
import { requireOwnAccessKept } from './own-access.ts';
import { requirePolicies, requireSomePolicy } from './require-policies.ts';

/**
 * Brings a removed membership back to life, with its id and its key, as it was in an earlier version, and the account that was deleted
 * with it. Its sessions and links stay ended.
 * Under `lockAdmins`, the row locked. Throws 409 with the reason: more than thirty days ago, the person, program or profile is gone, a
 * policy is gone, or the person has become a member anew.
 */
export async function restoreMembership(w: Write, removed: Row, then: ProjectMembership, actor: Actor): Promise<Row> {
  const { projectId, id } = removed;
  if (Date.now() > Date.parse(toGoneAt(removed.lastUpdated.toISOString()))) {
    throw new AppError('conflict', 'This membership was removed more than thirty days ago; invite the person again');
  }
  requireOwnAccessKept(actor, then.user.reference);
  requireValid(then, 'ProjectMembership');
  if (then.admin === true) await requireProof(actor, w.tx);
  await requireUser(w, projectId, then.user.reference ?? '', actor);
  await orConflict(async () => {
    if (then.user.reference?.startsWith('User/')) {
      const expression = 'ProjectMembership.profile';
      await requireProfile(w.tx, projectId, then.profile.reference ?? '', { expression });
      if (then.active !== false) await requireFreeProfile(w.tx, projectId, then, expression);
    }
    await requirePolicies(w.tx, projectId, then);
    await requireSomePolicy(w.tx, projectId, then);
  });
  const slot = (await wasFurther(w.tx, removed, then)) ? id : '';
  const awaitsProof = await wasUnproven(w.tx, removed, then);
  await insertKey(w.tx, removed, then, { slot, awaitsProof });
  await noteMember(w, projectId, then);
  await refreshFactors(w.tx, projectId, [id]);
  await keepMembershipLinks(w, { projectId, membershipId: id });
  w.stands({ projectId, membershipId: id });
  tellShared(w, projectId, then);
  const row = await updateRow(w, removed, then, actor.profile);
  w.invalidate(membershipTag(id));
  endNone(w, then);
  w.audit({
    projectId,
    action: 'membership.restore',
    target: `ProjectMembership/${id}`,
    after: { user: then.user.reference, ...toFacts(then) },
  });
  return row;
}

async function requireUser(w: Write, projectId: string, reference: string, actor: Actor): Promise<void> {
  const [type = '', id = ''] = reference.split('/');
  const isThere =
    type === 'User'
      ? (await isOurUser(w.tx, projectId, id)) || (await restoreUser(w, projectId, id, actor.profile))
      : await shareRow(w.tx, projectId, type, id).then((row) => row && !row.deleted);
  if (isThere) return;
  const who = type === 'User' ? 'The account of this person is no longer of this project' : `The ${type} was deleted`;
  throw new AppError('conflict', `${who}; the membership cannot come back`);
}

/** The account may have moved to another project meanwhile, whose administrators decide about it now. */
async function isOurUser(tx: Queryable, projectId: string, id: string): Promise<boolean> {
  const scope = (await findUser(id, projectId, tx))?.scope;
  if (scope === undefined) return false;
  const row = await shareRow(tx, scope, 'User', id);
  return row !== undefined && !row.deleted;
}

/** What would be wrong in a request is, here, what the project has become. */
async function orConflict(run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new AppError('conflict', error.message, { issues: error.issues, cause: error });
  }
}

/** It stood beside another membership of the same person (forceNewMembership): one that is older than its end. */
async function wasFurther(tx: Queryable, removed: Row, then: ProjectMembership): Promise<boolean> {
  const [beside] = await tx
    .select({ id: membershipKey.membershipId })
    .from(membershipKey)
    .where(
      and(
        eq(membershipKey.projectId, removed.projectId),
        eq(membershipKey.userRef, then.user.reference ?? ''),
        sql`exists (select 1 from resource_history h where h.project_id = ${removed.projectId} and h.type_id = ${typeId('ProjectMembership')}
          and h.id = ${membershipKey.membershipId}::text and h.version = 1 and h.last_updated < ${removed.lastUpdated.toISOString()}::timestamptz)`,
      ),
    )
    .limit(1);
  return beside !== undefined;
}

/**
 * The person had an account of their own making (not that of whoever added them here), and its address is still not proven: it waits for
 * that as it did before, whoever holds its password (schema: membership_key.awaits_proof).
 */
async function wasUnproven(tx: Queryable, { projectId, id }: Row, then: ProjectMembership): Promise<boolean> {
  const [, userId = ''] = then.user.reference?.split('/') ?? [];
  const user = await findRow(SERVER_SCOPE, 'User', userId, tx);
  if (!user || user.deleted || toResource<User>(user).emailVerified === true) return false;
  const [made, added] = await together(
    findFirst(tx, SERVER_SCOPE, 'User', userId),
    findFirst(tx, projectId, 'ProjectMembership', id),
  );
  return made !== undefined && (made.author === null || made.author !== added?.author);
}

/** Who wrote the first version. */
async function findFirst(
  tx: Queryable,
  projectId: string,
  type: string,
  id: string,
): Promise<{ author: string | null } | undefined> {
  const [first] = await tx.execute<{ author: string | null }>(sql`
    select author from resource_history
    where project_id = ${projectId} and type_id = ${typeId(type)} and id = ${id} and version = 1`);
  return first;
}
