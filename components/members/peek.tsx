'use client';
import { PeekSheet } from '#components/frame/peek-sheet.tsx';
import type { Peek } from '#components/frame/use-peek.ts';
import { Avatar } from '#components/ui/display/avatar.tsx';
import { Time } from '#components/ui/display/time.tsx';
import type { Member } from '#lib/client/api/types.ts';
import { useInvitesOf } from '#lib/client/invites/invites.ts';
import { DirectoryBadge, RoleBadge, StatusBadge } from './badges.tsx';
import { type MemberContext, toMemberFacts } from './facts.ts';
import { PeekId, PeekPolicies } from './peek-values.tsx';

export type MemberPeekProps = { peek: Peek; projectId: string; member: Member; context: MemberContext };

/** What one wants to know of a member before opening them. */
export function MemberPeek({ peek, projectId, member, context }: MemberPeekProps) {
  const facts = toMemberFacts(member, context);
  const invite = useInvitesOf(projectId, [member.id]).data?.get(member.id);
  return (
    <PeekSheet
      peek={peek}
      title={facts.name}
      href={`/p/${projectId}/members/${member.id}`}
      head={
        <div className="flex items-center gap-3">
          <Avatar name={facts.name} className="size-11 text-base" />
          <div className="min-w-0">
            <p className="truncate text-muted">{facts.email ?? facts.type}</p>
            <p className="mt-1.5 flex flex-wrap gap-1.5">
              <RoleBadge role={facts.role} />
              <StatusBadge status={facts.status} />
              <DirectoryBadge directory={facts.directory} />
            </p>
          </div>
        </div>
      }
      facts={[
        ['Policies', <PeekPolicies key="policies" names={facts.policies} admin={facts.role !== 'Member'} />],
        ['Type', facts.type],
        ['Login', facts.scope && (facts.scope === 'Project' ? 'This project only' : 'The whole server')],
        ['Invited by', member.invitedBy && (member.invitedBy.display ?? member.invitedBy.reference)],
        ['Invited', invite && <Time at={invite.invitedAt} />],
        ['Link opened', invite?.openedAt && <Time at={invite.openedAt} />],
        ['Link good until', !invite?.acceptedAt && invite?.expiresAt && <Time at={invite.expiresAt} />],
        ['Accepted', invite?.acceptedAt && <Time at={invite.acceptedAt} />],
        ['Mail', invite?.delivery?.error],
        ['External id', member.externalId],
        ['Changed', member.meta?.lastUpdated && <Time at={member.meta.lastUpdated} />],
        ['Membership', <PeekId key="id" label="membership id" value={member.id} />],
        ['Profile', <PeekId key="profile" label="profile reference" value={member.profile.reference ?? ''} />],
      ]}
    />
  );
}
