import { AppError } from '#lib/base/errors.ts';
import { queueMail } from '#lib/infra/mail/queue-mail.ts';
import type { ProjectClosed } from '#lib/protocol/answers/project-closed.ts';
import type { Project } from '#lib/protocol/fhir/types.ts';
import { type Ctx, callerOf, type Write } from '../access/context.ts';
import { findUserAnywhere } from '../accounts/find-user.ts';
import { createLink } from '../links/create-link.ts';
import { requireProof } from '../proofs/require-proof.ts';
import { editProject } from './edit-project.ts';
import { ownerOf, settleClosing, takeWayBack } from './settle-closing.ts';

/**
 * Closes a project: nobody signs in, every session and token ends at once, programs and bots are refused, and all data is kept. `name` is the
 * project's, typed by who means it. The owner's verb, with a proof, and a super-admin's; the owner is mailed the one way back that needs no
 * sign-in (`reopenProject`), and a super-admin sets `Project.active` (contract §3), or closes it once more, which takes the owner's way back.
 * Throws 400 for another name, 403, 409.
 */
export async function closeProject(ctx: Ctx, projectId: string, { name }: { name: string }): Promise<ProjectClosed> {
  let reopenUntil: Date | undefined;
  await editProject(ctx, projectId, async (w, project, actor) => {
    const isOwner = callerOf(actor).user === project.owner?.reference;
    if (!isOwner && !actor.superAdmin)
      throw new AppError('forbidden', 'Only the owner of a project closes it; ask them, or who runs this server');
    await requireProof(actor, w.tx);
    if (name !== (project.name ?? ''))
      throw new AppError('invalid', 'This is not the name of the project', { expression: 'name' });
    if (project.active === false) {
      if (!actor.superAdmin) throw new AppError('conflict', 'The project is closed already');
      await takeWayBack(w, projectId, project);
      w.audit({ projectId, action: 'project.close', target: `Project/${projectId}`, after: { wayBack: 'taken' } });
      return undefined;
    }
    const next: Project = { ...project, active: false };
    await settleClosing(w, projectId, project, next);
    if (isOwner) reopenUntil = await mailWayBack(w, projectId, next);
    return next;
  });
  return { closed: true, ...(reopenUntil && { reopenUntil: reopenUntil.toISOString() }) };
}

async function mailWayBack(w: Write, projectId: string, project: Project): Promise<Date | undefined> {
  const userId = ownerOf(project);
  const user = userId === undefined ? undefined : await findUserAnywhere(userId, projectId);
  if (!userId || !user?.email) return undefined;
  const { url, expiresAt } = await createLink(w, { kind: 'reopen', userId, projectId });
  await queueMail(w.tx, {
    projectId,
    template: 'project-closed',
    recipient: user.email,
    params: { url, projectName: project.name ?? '' },
  });
  return expiresAt;
}
