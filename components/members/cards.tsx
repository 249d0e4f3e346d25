'use client';
import { cn } from '#components/ui/cn.ts';
import { Avatar } from '#components/ui/display/avatar.tsx';
import { Card } from '#components/ui/display/card.tsx';
import { ListRow } from '#components/ui/display/list-row.tsx';
import { RowLink } from '#components/ui/display/row-link.tsx';
import { Skeleton, SkeletonRegion } from '#components/ui/feedback/skeleton.tsx';
import { Checkbox } from '#components/ui/form/checkbox.tsx';
import { memberQuery } from '#lib/client/member/member.ts';
import { DateNoteText, DirectoryBadge, FactorText, PolicyChips, RoleBadge, StatusBadge } from './badges.tsx';
import { toMemberFacts } from './facts.ts';
import { MemberMenu } from './menu.tsx';
import type { MemberRowProps, MemberRowsProps } from './row.tsx';
import { MemberTime } from './time.tsx';

/** The same list where a table has no room. */
export function MembersCards({ stale, ...view }: MemberRowsProps & { stale: boolean }) {
  if (!view.members) return <Waiting />;
  return (
    <ul
      aria-label="Members"
      className={cn('flex flex-col gap-2 transition-opacity duration-150 md:hidden', stale && 'opacity-55')}
    >
      {view.members.map((member) => (
        <ListRow key={member.id} about={member.id}>
          <MemberCard member={member} {...view} />
        </ListRow>
      ))}
    </ul>
  );
}

function MemberCard({ projectId, member, context, project, selection, onAction }: MemberRowProps) {
  const facts = toMemberFacts(member, context);
  const href = `/p/${projectId}/members/${member.id}`;
  const picked = selection.has(member.id);
  return (
    <Card data-row={member.id} className={cn('flex gap-3 p-4', picked && 'bg-accent-soft/60')}>
      <Avatar name={facts.name} className="mt-0.5" />
      <div className="min-w-0 flex-1">
        <RowLink
          href={href}
          query={memberQuery(projectId, member.id)}
          className="block truncate rounded-sm font-medium"
        >
          {facts.name}
        </RowLink>
        <p className="text-[0.8125rem] text-muted [overflow-wrap:anywhere]">
          {[facts.type, facts.email].filter(Boolean).join(' · ')}
        </p>
        <div className="mt-2.5 flex flex-wrap items-center gap-1.5">
          <RoleBadge role={facts.role} />
          <StatusBadge status={facts.status} />
          <DateNoteText member={member} />
          <DirectoryBadge directory={facts.directory} />
          {facts.policies.length > 0 || facts.role === 'Member' ? <PolicyChips policies={facts.policies} /> : null}
        </div>
        <dl className="mt-2.5 grid auto-cols-fr grid-flow-col grid-rows-[auto_auto] gap-x-3 text-[0.8125rem]">
          <dt className="row-start-1 text-muted">Last active</dt>
          <dd className="truncate">
            <MemberTime at={facts.lastActiveAt} none={facts.status === 'unknown' ? 'Unknown' : 'Not yet'} />
          </dd>
          <dt className="row-start-1 text-muted">Joined</dt>
          <dd className="truncate">
            <MemberTime at={facts.joinedAt} none="Unknown" />
          </dd>
          {facts.person ? (
            <>
              <dt className="row-start-1 text-muted">Second factor</dt>
              <dd className="truncate">
                <FactorText text={facts.secondFactor} />
              </dd>
            </>
          ) : null}
        </dl>
      </div>
      <div className="-mt-1 -mr-2 flex flex-col items-center gap-2">
        <MemberMenu
          member={member}
          facts={facts}
          project={project}
          href={href}
          onAction={(action) => onAction(action, member)}
        />
        <Checkbox
          aria-label={`Select ${facts.name}`}
          checked={picked}
          onCheckedChange={(on, { shift }) => selection.toggle(member.id, on, shift)}
        />
      </div>
    </Card>
  );
}

function Waiting() {
  return (
    <SkeletonRegion label="Loading members" className="flex flex-col gap-2 md:hidden">
      {[0, 1, 2, 3, 4, 5].map((card) => (
        <Card key={card} className="flex h-38 gap-3 p-4">
          <Skeleton className="size-8 rounded-full" />
          <div className="flex flex-1 flex-col gap-2">
            <Skeleton className="h-4 w-1/2" />
            <Skeleton className="h-3 w-2/3" />
            <Skeleton className="mt-1 h-5 w-28" />
          </div>
        </Card>
      ))}
    </SkeletonRegion>
  );
}
