import { sql } from 'drizzle-orm';
import { env } from '#lib/base/env.ts';
import { AppError, notFound } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import { queueMail } from '#lib/infra/mail/queue-mail.ts';
import type { Project, ProjectMembership, Reference } from '#lib/protocol/fhir/types.ts';
import type { HandOverRequest } from '#lib/protocol/requests/member-actions.ts';
import { projectTag } from '../access/cache-tags.ts';
import { type Actor, type Ctx, callerOf, requireProjectAdmin, type Write } from '../access/context.ts';
import { findUser } from '../accounts/find-user.ts';
import { write } from '../audit/write.ts';
import { isLastingAdmin, lockAdmins } from '../memberships/guard-admins.ts';
import { requireProof } from '../proofs/require-proof.ts';
import { lockRow, requireLive } from '../store/find-row.ts';
import { toResource } from '../store/row.ts';
import { updateRow } from '../store/update-row.ts';

/**
 * Makes another administrator the owner of the project, at once: who owned it goes on as an administrator whom others may demote from then on.
 * Both hear of it by mail. For the owner, lately proven, and for a super-admin, who does it also where nobody owns the project. Throws 403 for
 * anybody else; 404 for an unknown membership, 410 for a removed one; 409 for somebody who is not there for good as an administrator.
 */
export async function handOver(ctx: Ctx, projectId: string, input: HandOverRequest): Promise<{ owner: Reference }> {
  const actor = requireProjectAdmin(ctx, projectId);
  if (!isUuid(projectId)) throw notFound();
  return write(ctx, async (w) => {
    // In this order, as all changes of administrators: of two at once the second finds that it is not the owner any more.
    await lockAdmins(w.tx, projectId);
    const row = requireLive(await lockRow(w.tx, projectId, 'Project', projectId));
    const project = toResource<Project>(row);
    requireOwner(actor, project);
    await requireProof(actor, w.tx);
    const owner = await findNext(w, projectId, input.membership.toLowerCase());
    const before = project.owner;
    if (before?.reference === owner.reference) {
      w.unchanged();
      return { owner };
    }
    await updateRow(w, row, { ...project, owner }, actor.profile);
    w.invalidate(projectTag(projectId));
    const target = `Project/${projectId}`;
    w.audit({ projectId, action: 'project.owner', target, before: before?.reference, after: owner.reference });
    await tellBoth(w, projectId, project, owner);
    return { owner };
  });
}

function requireOwner(actor: Actor, { owner }: Project): void {
  const { superAdmin, user } = callerOf(actor);
  if (superAdmin || (owner?.reference !== undefined && owner.reference === user)) return;
  throw new AppError('forbidden', 'Only the owner hands a project over, or a super-admin of this server');
}

/** Whoever has not come in yet, comes by a membership with an end, or is known to this project alone, could leave it without an owner. */
async function findNext(w: Write, projectId: string, membershipId: string): Promise<Reference> {
  const row = requireLive(await lockRow(w.tx, projectId, 'ProjectMembership', membershipId));
  const membership = toResource<ProjectMembership>(row);
  const { user } = membership;
  if (!user.reference?.startsWith('User/')) throw refused('A program owns no project');
  if (!isLastingAdmin(membership)) {
    throw refused('The next owner must be an active administrator, not on leave, whose membership has no end');
  }
  const [key] = await w.tx.execute<{ joined: boolean }>(sql`
    select not awaits_proof and invite_status in ('none', 'accepted') as joined from membership_key
    where project_id = ${projectId} and membership_id = ${membershipId}`);
  if (!key?.joined) throw refused('The next owner has not accepted their invitation yet');
  const known = await findUser(user.reference.slice('User/'.length), undefined, w.tx);
  if (!known) throw refused('An account that is of this project alone cannot own it');
  return { reference: user.reference, ...(user.display !== undefined && { display: user.display }) };
}

async function tellBoth(
  w: Write,
  projectId: string,
  { name, owner: before }: Project,
  after: Reference,
): Promise<void> {
  const [from, to] = [await findPerson(w, before), await findPerson(w, after)];
  const params = {
    projectName: name ?? 'your project',
    from: from?.name ?? 'an administrator of this server',
    to: to?.name ?? 'another administrator',
    url: `${env().BASE_URL}/p/${projectId}/members`,
  };
  for (const recipient of new Set([from?.email, to?.email])) {
    if (recipient) await queueMail(w.tx, { projectId, template: 'owner-changed', recipient, params });
  }
}

async function findPerson(w: Write, { reference = '' }: Reference = {}) {
  const user = await findUser(reference.slice('User/'.length), undefined, w.tx);
  return user && { name: `${user.firstName} ${user.lastName}`, email: user.email };
}

function refused(text: string): AppError {
  return new AppError('conflict', text, { expression: 'membership' });
}
