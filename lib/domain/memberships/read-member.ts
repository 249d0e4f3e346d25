import { notFound } from '#lib/base/errors.ts';
import { isUuid } from '#lib/base/ids.ts';
import { type Ctx, requireProjectAdmin } from '../access/context.ts';
import { findRow, requireLive } from '../store/find-row.ts';
import type { Row } from '../store/row.ts';

/** For an administrator. Throws 403, 404 and, for a removed one, 410. */
export async function readMember(ctx: Ctx, projectId: string, membershipId: string): Promise<Row> {
  requireProjectAdmin(ctx, projectId);
  if (!isUuid(projectId) || !isUuid(membershipId)) throw notFound();
  return requireLive(await findRow(projectId, 'ProjectMembership', membershipId));
}
