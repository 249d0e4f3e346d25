import { AppError } from '#lib/base/errors.ts';
import type { ProjectMembership } from '#lib/protocol/fhir/types.ts';
import type { Ctx } from '../access/context.ts';
import type { Row } from '../store/row.ts';
import { type EditOptions, editMember } from './edit-member.ts';

/**
 * The full resource in place of the stored one (contract §2.3). Throws 403 unless the body is this membership, and what
 * `changeMembership` and `lockMember` throw.
 */
export async function updateMember(
  ctx: Ctx,
  projectId: string,
  membershipId: string,
  body: unknown,
  options: EditOptions = {},
): Promise<Row> {
  return editMember(ctx, projectId, membershipId, options, () => {
    if (typeof body !== 'object' || body === null || Array.isArray(body)) {
      throw new AppError('structure', 'The body must be a ProjectMembership');
    }
    const { resourceType, id } = body as Record<string, unknown>;
    if (resourceType !== 'ProjectMembership' || id !== membershipId) {
      throw new AppError('forbidden', 'resourceType and id of the body must be those of the membership in the path');
    }
    return body as ProjectMembership;
  });
}
