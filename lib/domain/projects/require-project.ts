import { notFound } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import type { Ctx } from '../access/context.ts';
import { findRow } from '../store/find-row.ts';

/** For the super-admin, whose rights reach everywhere: throws 404 for a project that is not there. One's own is. */
export async function requireProject({ actor }: Ctx, projectId: string): Promise<void> {
  if (!actor?.superAdmin || actor.projectId === projectId) return;
  const row = isUuid(projectId) ? await findRow(projectId, 'Project', projectId) : undefined;
  if (!row || row.deleted) throw notFound();
}
