import type { ProjectMembership } from '#lib/protocol/fhir/types.ts';
import { applyJsonPatch } from '#lib/protocol/json/json-patch.ts';
import type { Ctx } from '../access/context.ts';
import { type Row, toResource } from '../store/row.ts';
import { type EditOptions, editMember } from './edit-member.ts';

/** What the server decides: a patch that says otherwise is refused, not ignored. */
const FORBIDDEN = ['/id', '/resourceType', '/meta', '/project', '/user', '/invitedBy'];

/** A JSON Patch on the stored membership (contract §2.3): the same rules as `updateMember`, and 400 or 412 for the patch itself. */
export async function patchMember(
  ctx: Ctx,
  projectId: string,
  membershipId: string,
  patch: unknown,
  options: EditOptions = {},
): Promise<Row> {
  const role = Array.isArray(patch) && patch.some((operation) => /^\/?(admin|active)?$/.test(String(operation?.path)));
  return editMember(ctx, projectId, membershipId, { ...options, role }, (current) => {
    return applyJsonPatch(toResource<ProjectMembership>(current), patch, { forbidden: FORBIDDEN });
  });
}
