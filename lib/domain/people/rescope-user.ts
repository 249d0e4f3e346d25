import { AppError } from '#lib/base/errors.ts';
import { SERVER_SCOPE } from '#lib/base/ids.ts';
import { queueMail } from '#lib/infra/mail/queue-mail.ts';
import type { RescopeRequest } from '#lib/protocol/requests/user-operations.ts';
import { type Actor, type Ctx, requireActor, requireProjectAdmin, type Write } from '../access/context.ts';
import { hasPassword } from '../accounts/has-password.ts';
import { moveUser } from '../accounts/move-user.ts';
import { write } from '../audit/write.ts';
import { membersOf } from '../directory/members-of.ts';
import { createMailedLink } from '../links/create-mailed-link.ts';
import { shareProject } from '../memberships/share-project.ts';
import { requireProof } from '../proofs/require-proof.ts';
import type { Row } from '../store/row.ts';
import { findManagedUser, type LockedUser, lockUser } from './lock-user.ts';

/**
 * `User/:id/$rescope` (contract §2.7): makes a project's own User a server-scoped one; a super-admin also the other way round, and from
 * project to project. Whoever leaves a project chooses a new password by mail, since its administrators may know the old one. Throws
 * 400, 403 and 404 as the contract says; 409 where the address is taken, and for a person whom other projects know: their
 * administrators do not decide about the account.
 */
export async function rescopeUser(ctx: Ctx, userId: string, input: RescopeRequest): Promise<Row> {
  const actor = requireProjectAdmin(ctx, requireActor(ctx).projectId);
  const found = await findManagedUser(actor, userId);
  const scope = input.project?.reference.slice('Project/'.length).toLowerCase() ?? SERVER_SCOPE;
  if (scope === found.scope) throw new AppError('invalid', 'The User has this scope already', { expression: 'scope' });
  if (!actor.superAdmin && scope !== SERVER_SCOPE) throw new AppError('forbidden', 'Forbidden');
  return write(ctx, async (w) => {
    await requireProof(actor, w.tx);
    const locked = await lockUser(w.tx, found, [found.email]);
    if (scope === SERVER_SCOPE) requireAddress(locked);
    else await requireOnlyHere(w, locked, scope);
    const knewPassword = locked.row.projectId !== SERVER_SCOPE && (await hasPassword(w.tx, userId));
    const row = await moveUser(w, locked.row, scope, actor.profile);
    if (knewPassword) await askForPassword(w, actor, locked, scope);
    return row;
  });
}

function requireAddress({ user }: LockedUser): void {
  if (user.email) return;
  throw new AppError('invalid', 'Only a User with an e-mail address can be global', { expression: 'scope' });
}

async function requireOnlyHere(w: Write, { user }: LockedUser, projectId: string): Promise<void> {
  const project = await shareProject(w.tx, projectId);
  const all = await membersOf(user.id, w.tx);
  const other = all.find((member) => member.projectId !== projectId);
  if (other) throw new AppError('conflict', 'This person is a member of another project', { expression: 'project' });
  if (project.owner?.reference === `User/${user.id}`) {
    throw new AppError('conflict', 'The owner of a project stays a global User', { expression: 'project' });
  }
}

async function askForPassword(w: Write, actor: Actor, { user }: LockedUser, scope: string): Promise<void> {
  if (!user.email) return;
  const link = await createMailedLink(w, {
    kind: 'reset',
    userId: user.id,
    ...(scope === SERVER_SCOPE ? {} : { projectId: scope }),
  });
  await queueMail(w.tx, {
    projectId: scope,
    template: 'rescoped',
    recipient: user.email,
    params: { url: link.url, code: link.code, projectName: actor.superAdmin ? 'your project' : actor.projectName },
  });
}
