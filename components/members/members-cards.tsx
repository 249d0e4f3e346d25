'use client';
import { Avatar } from '#components/ui/avatar.tsx';
import { Card } from '#components/ui/card.tsx';
import { cn } from '#components/ui/cn.ts';
import { Skeleton, SkeletonRegion } from '#components/ui/skeleton.tsx';
import type { ProjectMembership } from '#lib/client/types.ts';
import { PolicyChips, RoleBadge, StatusBadge } from './member-badges.tsx';
import { toMemberFacts } from './member-facts.ts';

/** The same list where a table has no room. */
export function MembersCards({ members, stale }: { members: ProjectMembership[] | undefined; stale: boolean }) {
  if (!members) return <Waiting />;
  return (
    <ul
      aria-label="Members"
      className={cn('flex flex-col gap-2 transition-opacity duration-150 md:hidden', stale && 'opacity-55')}
    >
      {members.map((member) => (
        <li key={member.id}>
          <MemberCard member={member} />
        </li>
      ))}
    </ul>
  );
}

function MemberCard({ member }: { member: ProjectMembership }) {
  const { name, email, type, policies } = toMemberFacts(member);
  return (
    <Card className="flex gap-3 p-4">
      <Avatar name={name} className="mt-0.5" />
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium">{name}</p>
        <p className="truncate text-[0.8125rem] text-muted">{[type, email].filter(Boolean).join(' · ')}</p>
        <div className="mt-2.5 flex flex-wrap items-center gap-1.5">
          <RoleBadge member={member} />
          <StatusBadge member={member} />
          {policies.length > 0 ? <PolicyChips policies={policies} /> : null}
        </div>
      </div>
    </Card>
  );
}

function Waiting() {
  return (
    <SkeletonRegion label="Loading members" className="flex flex-col gap-2 md:hidden">
      {[0, 1, 2, 3, 4, 5].map((card) => (
        <Card key={card} className="flex h-26 gap-3 p-4">
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
