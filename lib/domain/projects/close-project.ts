import { AppError } from '#lib/base/errors.ts';
import { queueMail } from '#lib/infra/mail/queue-mail.ts';
import type { ProjectClosed } from '#lib/protocol/answers/project-closed.ts';
import type { Project } from '#lib/protocol/fhir/types.ts';
import { type Ctx, callerOf, type Write } from '../access/context.ts';
import { requireProof } from '../proofs/require-proof.ts';
import { askRemoval, cancelRemoval, makeWayBack, type WayBack } from './ask-removal.ts';
import { editProject } from './edit-project.ts';
import { settleClosing, takeWayBack } from './settle-closing.ts';

/**
 * Closes a project: nobody signs in, every session and token ends at once, programs and bots are refused, and all data is kept. `name` is the
 * project's, typed by who means it. The owner's verb, with a proof, and a super-admin's; the owner is mailed the one way back that needs no
 * sign-in (`reopenProject`), and a super-admin sets `Project.active` (contract §3), or closes it once more, which takes the owner's way back.
 * `remove`: after thirty days in which nobody has opened it, all of it is removed for good (`removeProjects`).
 * Throws 400 for another name, 403, 409.
 */
export async function closeProject(
  ctx: Ctx,
  projectId: string,
  { name, remove = false }: { name: string; remove?: boolean },
): Promise<ProjectClosed> {
  let reopenUntil: Date | undefined;
  let removeAt: Date | undefined;
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
      // Without it nobody removes what a super-admin holds.
      if (remove) removeAt = await askRemoval(w, projectId, project, undefined);
      else await cancelRemoval(w, projectId);
      return undefined;
    }
    const next: Project = { ...project, active: false };
    await settleClosing(w, projectId, project, next);
    const wayBack = isOwner ? await makeWayBack(w, projectId, next) : undefined;
    reopenUntil = wayBack?.expiresAt;
    if (remove) removeAt = await askRemoval(w, projectId, next, wayBack);
    else if (wayBack) await mailWayBack(w, projectId, next, wayBack);
    return next;
  });
  return {
    closed: true,
    ...(reopenUntil && { reopenUntil: reopenUntil.toISOString() }),
    ...(removeAt && { removeAt: removeAt.toISOString() }),
  };
}

async function mailWayBack(w: Write, projectId: string, project: Project, { url, email }: WayBack): Promise<void> {
  const params = { url, projectName: project.name ?? '' };
  await queueMail(w.tx, { projectId, template: 'project-closed', recipient: email, params });
}
