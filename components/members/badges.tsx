import dynamic from 'next/dynamic';
import { Badge } from '#components/ui/display/badge.tsx';
import { Skeleton } from '#components/ui/feedback/skeleton.tsx';
import type { Member } from '#lib/client/api/types.ts';
import { MEMBER_STATUS_WORDS } from '#lib/protocol/answers/member-status.ts';
import type { MemberFacts, MemberStatus } from './facts.ts';
import { NoPolicy } from './no-policy.tsx';

/** Who is nothing but a member has no badge: those of the others are seen. */
export function RoleBadge({ role }: { role: MemberFacts['role'] }) {
  if (role === 'Member') return <span className="text-[0.8125rem] text-muted">Member</span>;
  return <Badge tone={role === 'Owner' ? 'info' : 'accent'}>{role}</Badge>;
}

const TONES = {
  active: 'good',
  invited: 'info',
  'invite-expired': 'warn',
  'mail-failed': 'danger',
  away: 'neutral',
  ended: 'neutral',
  deactivated: 'neutral',
  unknown: 'neutral',
} as const;

export function StatusBadge({ status }: { status: MemberStatus }) {
  if (status === 'asking') return <Skeleton className="h-5.5 w-17" />;
  return (
    <Badge tone={TONES[status]} dot>
      {status === 'unknown' ? 'Unknown' : MEMBER_STATUS_WORDS[status]}
    </Badge>
  );
}

/** What they prove beside a password. */
export function FactorText({ text }: { text: MemberFacts['secondFactor'] }) {
  if (text === undefined) return <Skeleton className="w-18" />;
  if (text === null) return <span className="sr-only">Unknown</span>;
  return <span className={text === 'None' ? 'text-warn-text' : undefined}>{text}</span>;
}

const DateNote = dynamic(() => import('./date-note.tsx').then((module) => module.DateNote));

/** When they come or go, beside their status. Of few: what reads dates comes with the first who has some. */
export function DateNoteText({ member, className }: { member: Member; className?: string }) {
  if (!member.period && member.suspendedUntil === undefined) return null;
  return <DateNote member={member} className={className} />;
}

/** Who is provisioned by a directory: their name, address and status are changed there. */
export function DirectoryBadge({ directory }: { directory: string | undefined }) {
  if (directory === undefined) return null;
  return (
    <Badge tone="info" className="max-w-48">
      <span className="truncate" title={`Managed by ${directory}`}>
        Managed by {directory}
      </span>
    </Badge>
  );
}

const SHOWN = 1;

/** Policy names as chips, "+n" for the rest. */
export function PolicyChips({ policies, admin = false }: { policies: string[]; admin?: boolean }) {
  if (policies.length === 0) {
    return <NoPolicy admin={admin} />;
  }
  const rest = policies.slice(SHOWN);
  return (
    <span className="inline-flex max-w-full items-center gap-1.5">
      {policies.slice(0, SHOWN).map((policy) => (
        <Badge key={policy} className="max-w-28 2xl:max-w-36">
          <span className="truncate" title={policy}>
            {policy}
          </span>
        </Badge>
      ))}
      {rest.length > 0 ? (
        <span className="text-muted text-xs" title={rest.join(', ')}>
          +{rest.length}
        </span>
      ) : null}
    </span>
  );
}
