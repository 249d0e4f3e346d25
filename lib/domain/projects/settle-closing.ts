import { AppError } from '#lib/base/errors.ts';
import type { Project } from '#lib/protocol/fhir/types.ts';
import type { Write } from '../access/context.ts';
import { supersedeLinks } from '../links/supersede-links.ts';
import { endProjectLogins } from '../sessions/end-project-logins.ts';
import { cancelRemoval, ownerOf } from './ask-removal.ts';

/**
 * What goes with a change of `Project.active`, whoever makes it: closing ends all sessions and tokens, and the owner's older way back. The
 * project of this server's administrators is not closed: nobody could open it again. Throws 409 for that.
 */
export async function settleClosing(w: Write, projectId: string, before: Project, after: Project): Promise<void> {
  const [was, is] = [before.active !== false, after.active !== false];
  if (was === is) return;
  if (!is && before.superAdmin === true)
    throw new AppError('conflict', 'The project of the administrators of this server is not closed', {
      expression: 'Project.active',
    });
  await takeWayBack(w, projectId, after);
  await cancelRemoval(w, projectId);
  // Opened again, too: a sign-in that was under way while it was closed has left a login.
  const sessions = await endProjectLogins(w, projectId);
  const action = is ? 'project.reopen' : 'project.close';
  w.audit({ projectId, action, target: `Project/${projectId}`, after: is ? undefined : { sessions } });
}

/** The link by which the owner opens the project is worth nothing from here on. */
export async function takeWayBack(w: Write, projectId: string, project: Project): Promise<void> {
  const userId = ownerOf(project);
  if (userId) await supersedeLinks(w, { userId, projectId, kinds: ['reopen'] }, { revoked: true });
}
