import type { bulkJob, bulkJobRow } from '#lib/infra/db/schema/operations.ts';
import type { ProjectMembership } from '#lib/protocol/fhir/types.ts';
import type { InviteRequest } from '#lib/protocol/requests/invite-member.ts';
import type { Ctx } from '../access/context.ts';
import { inviteMember } from '../invites/invite-member.ts';
import { resendInvite } from '../invites/resend-invite.ts';
import { editMember } from '../memberships/edit-member.ts';
import { removeMember } from '../memberships/remove-member.ts';
import { type Row, toResource } from '../store/row.ts';
import { openInvite } from './rows.ts';

export type BulkJobRow = typeof bulkJob.$inferSelect;
export type BulkRow = typeof bulkJobRow.$inferSelect;
export type BulkKind = BulkJobRow['kind'];

export type ClaimedRow = { row: BulkRow /** Of an invite that was opened already. */; invite?: InviteRequest };

export type DoneRow = {
  number: number;
  outcome: string;
  /** Of an invite: the member that came of it, and the profile it stands on. */
  membershipId?: string;
  profile?: string;
};

/** One change of a job, through the verb that the API uses for one, with all that it refuses. */
export async function runBulkRow(
  ctx: Ctx,
  { projectId, kind }: BulkJobRow,
  { row, invite }: ClaimedRow,
): Promise<DoneRow> {
  const { number } = row;
  if (kind === 'invite') {
    const { row: made, status } = await inviteMember(ctx, projectId, invite ?? openInvite(row));
    const { profile } = toResource<ProjectMembership>(made);
    return { number, outcome: status, membershipId: made.id, profile: profile.reference };
  }
  await changeMember(ctx, projectId, row.membershipId ?? '', kind);
  return { number, outcome: 'done' };
}

function changeMember(
  ctx: Ctx,
  projectId: string,
  membershipId: string,
  kind: Exclude<BulkKind, 'invite'>,
): Promise<unknown> {
  const edit = (change: Partial<ProjectMembership>) =>
    editMember(ctx, projectId, membershipId, {}, (current: Row) => ({
      ...toResource<ProjectMembership>(current),
      ...change,
    }));
  switch (kind) {
    case 'remove':
      return removeMember(ctx, projectId, membershipId);
    case 'resend':
      return resendInvite(ctx, projectId, membershipId);
    case 'deactivate':
      return edit({ active: false });
    case 'reactivate':
      return edit({ active: undefined });
    case 'promote':
      return edit({ admin: true });
    case 'demote':
      return edit({ admin: undefined });
  }
}
