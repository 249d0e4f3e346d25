'use client';
import type { MemberAction } from '#components/members/actions/guards.ts';
import { DateNoteText, DirectoryBadge, RoleBadge, StatusBadge } from '#components/members/badges.tsx';
import type { MemberFacts } from '#components/members/facts.ts';
import { MemberMenu } from '#components/members/menu.tsx';
import { cn } from '#components/ui/cn.ts';
import { Avatar } from '#components/ui/display/avatar.tsx';
import { pendingClass } from '#components/ui/display/pending-class.ts';
import { ViewAsButton } from '#components/view-as/view-as-button.tsx';
import type { Member } from '#lib/client/api/types.ts';
import { useBusy } from '#lib/client/api/use-pending.ts';
import type { ProjectFacts } from '#lib/client/frame/project-facts.ts';

/** What every part of the page knows. */
export type MemberView = { projectId: string; member: Member; facts: MemberFacts; project: ProjectFacts };

export function MemberHead({
  projectId,
  member,
  facts,
  project,
  onAction,
}: MemberView & { onAction: (action: MemberAction) => void }) {
  return (
    <div className="mb-6 flex items-start gap-4">
      <Avatar name={facts.name} className="size-14 text-lg max-sm:size-11 max-sm:text-base" />
      <div className="min-w-0 flex-1">
        <h1 className="break-words font-semibold text-[1.375rem] leading-7 tracking-[-0.02em]">{facts.name}</h1>
        <p className="text-muted [overflow-wrap:anywhere]">{[facts.type, facts.email].filter(Boolean).join(' · ')}</p>
        <p aria-busy={useBusy(member.id)} className={cn('mt-2 flex flex-wrap gap-1.5', pendingClass)}>
          <RoleBadge role={facts.role} />
          <StatusBadge status={facts.status} />
          <DateNoteText member={member} />
          <DirectoryBadge directory={facts.directory} />
        </p>
      </div>
      <ViewAsButton projectId={projectId} membershipId={member.id} facts={facts} />
      <MemberMenu member={member} facts={facts} project={project} onAction={onAction} />
    </div>
  );
}
