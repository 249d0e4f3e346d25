import { AppError } from '#lib/base/errors.ts';
import { db } from '#lib/infra/db/client.ts';
import type { Project } from '#lib/protocol/fhir/types.ts';
import { projectTag } from '../access/cache-tags.ts';
import type { Ctx } from '../access/context.ts';
import { write } from '../audit/write.ts';
import { requireLink } from '../links/find-link.ts';
import { requireOpenLink, spendLink } from '../links/spend-link.ts';
import { lockRow, requireLive } from '../store/find-row.ts';
import { toResource } from '../store/row.ts';
import { updateRow } from '../store/update-row.ts';
import { ownerOf } from './ask-removal.ts';
import { settleClosing } from './settle-closing.ts';

/**
 * Opens a closed project by the link that its owner was mailed. It gives no session: people sign in again, the owner too. Throws 404 for an
 * unknown link; 400 for a wrong secret, one that was used, has expired or was taken back, and for who no longer owns the project.
 */
export async function reopenProject(ctx: Ctx, { id, secret }: { id: string; secret: string }): Promise<void> {
  const link = await requireLink(db(), id, secret);
  const { kind, projectId, userId } = link;
  if (kind !== 'reopen' || !projectId)
    throw new AppError('invalid', 'Invalid security request type', { expression: 'id' });
  await requireOpenLink(db(), link);
  await write(ctx, async (w) => {
    const row = requireLive(await lockRow(w.tx, projectId, 'Project', projectId));
    const project = toResource<Project>(row);
    if (ownerOf(project) !== userId)
      throw new AppError('invalid', 'Somebody else owns this project now', { expression: 'id' });
    await spendLink(w, link);
    const { active: _, ...open } = project;
    await settleClosing(w, projectId, project, open as Project);
    await updateRow(w, row, open as Project, `User/${userId}`);
    w.audit({ projectId, action: 'project.update', target: `Project/${projectId}`, after: { by: `User/${userId}` } });
    w.invalidate(projectTag(projectId));
  });
}
