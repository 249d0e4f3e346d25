'use client';
import type { Selection } from '#components/frame/use-selection.ts';
import { cn } from '#components/ui/cn.ts';
import { Avatar } from '#components/ui/display/avatar.tsx';
import { RowLink } from '#components/ui/display/row-link.tsx';
import { TableCell, TableRow } from '#components/ui/display/table.tsx';
import { Time } from '#components/ui/display/time.tsx';
import { Checkbox } from '#components/ui/form/checkbox.tsx';
import type { Member } from '#lib/client/api/types.ts';
import type { ProjectFacts } from '#lib/client/frame/project-facts.ts';
import { memberQuery } from '#lib/client/member/member.ts';
import type { MemberAction } from './actions/guards.ts';
import { DateNoteText, FactorText, PolicyChips, RoleBadge, StatusBadge } from './badges.tsx';
import { type MemberContext, toMemberFacts } from './facts.ts';
import { MemberMenu } from './menu.tsx';
import { MemberTime } from './time.tsx';

/** What every row of the lists needs, table and cards alike. */
export type MemberRowsProps = {
  projectId: string;
  /** Undefined while the first answer is on its way. */
  members: Member[] | undefined;
  context: MemberContext;
  project: ProjectFacts;
  selection: Selection;
  onAction: (action: MemberAction, member: Member) => void;
};

export type MemberRowProps = Omit<MemberRowsProps, 'members'> & { member: Member };

export function MemberRow({ projectId, member, context, project, selection, onAction }: MemberRowProps) {
  const facts = toMemberFacts(member, context);
  const href = `/p/${projectId}/members/${member.id}`;
  const picked = selection.has(member.id);
  return (
    <TableRow
      data-row={member.id}
      about={member.id}
      className={cn('focus-within:bg-hover/70 hover:bg-hover/50', picked && 'bg-accent-soft/60 hover:bg-accent-soft')}
    >
      <TableCell className="w-10 pr-0 pl-3">
        <Checkbox
          aria-label={`Select ${facts.name}`}
          checked={picked}
          onCheckedChange={(on, { shift }) => selection.toggle(member.id, on, shift)}
        />
      </TableCell>
      <TableCell className="max-w-0 px-2 2xl:px-3">
        <div className="flex items-center gap-3">
          <Avatar name={facts.name} />
          <div className="min-w-0">
            <p className="flex items-center gap-1.5">
              <RowLink
                href={href}
                query={memberQuery(projectId, member.id)}
                dir="auto"
                className="truncate rounded-sm font-medium underline-offset-3 hover:underline"
              >
                {facts.name}
              </RowLink>
              {member.id === project.self ? <span className="text-muted text-xs">you</span> : null}
            </p>
            {facts.email ? (
              <p className="text-[0.8125rem] text-muted leading-4.5 [overflow-wrap:anywhere]">{facts.email}</p>
            ) : null}
          </div>
        </div>
      </TableCell>
      <TableCell className="whitespace-nowrap px-2 2xl:px-3">
        {facts.type}
        {facts.scope ? (
          <span className="block text-[0.8125rem] text-muted">
            {facts.scope === 'Project' ? 'project only' : 'server-wide'}
          </span>
        ) : null}
      </TableCell>
      <TableCell className="px-2 2xl:px-3">
        {/* As wide as the longest, so that no other column moves when one is promoted. */}
        <div className="min-w-[3.25rem]">
          <RoleBadge role={facts.role} />
        </div>
      </TableCell>
      <TableCell className="px-2 2xl:px-3">
        <PolicyChips policies={facts.policies} admin={facts.role !== 'Member'} />
      </TableCell>
      <TableCell className="px-2 2xl:px-3">
        <StatusBadge status={facts.status} />
        <DateNoteText member={member} className="block max-w-32" />
        {facts.directory ? (
          <span className="block max-w-32 truncate text-[0.8125rem] text-muted" title={`Managed by ${facts.directory}`}>
            by {facts.directory}
          </span>
        ) : null}
      </TableCell>
      <TableCell className="px-2 text-[0.8125rem] 2xl:px-3">
        <div className="w-20">
          <FactorText text={facts.secondFactor} />
        </div>
      </TableCell>
      <TableCell className="whitespace-nowrap px-2 2xl:px-3 tabular-nums">
        {/* As wide as the longest, so that no column moves as time passes. */}
        <div className="min-w-20">
          <MemberTime at={facts.lastActiveAt} none={facts.status === 'unknown' ? 'Unknown' : 'Not yet'} short />
        </div>
      </TableCell>
      <TableCell className="whitespace-nowrap px-2 2xl:px-3 tabular-nums">
        <MemberTime at={facts.joinedAt} none="Unknown" />
        {member.meta?.lastUpdated ? (
          <span className="block text-[0.8125rem] text-muted">
            <Time at={member.meta.lastUpdated} />
          </span>
        ) : null}
      </TableCell>
      <TableCell className="pr-3 pl-0">
        <MemberMenu
          member={member}
          facts={facts}
          project={project}
          href={href}
          onAction={(action) => onAction(action, member)}
        />
      </TableCell>
    </TableRow>
  );
}
