import { Badge } from '#components/ui/display/badge.tsx';
import { Skeleton } from '#components/ui/feedback/skeleton.tsx';
import type { MemberFacts, MemberStatus } from './facts.ts';

export function RoleBadge({ role }: { role: MemberFacts['role'] }) {
  return <Badge tone={role === 'Owner' ? 'info' : role === 'Admin' ? 'accent' : 'neutral'}>{role}</Badge>;
}

const STATES = {
  active: { tone: 'good', text: 'Active' },
  invited: { tone: 'info', text: 'Invited' },
  expired: { tone: 'warn', text: 'Invite expired' },
  undelivered: { tone: 'danger', text: 'Mail failed' },
  unknown: { tone: 'neutral', text: 'Unknown' },
  deactivated: { tone: 'neutral', text: 'Deactivated' },
} as const;

export function StatusBadge({ status }: { status: MemberStatus }) {
  if (status === 'asking') return <Skeleton className="h-5.5 w-17" />;
  const { tone, text } = STATES[status];
  return (
    <Badge tone={tone} dot>
      {text}
    </Badge>
  );
}

const SHOWN = 1;

/** Policy names as chips, "+n" for the rest; none means broad access, and is said. */
export function PolicyChips({ policies }: { policies: string[] }) {
  if (policies.length === 0) return <span className="whitespace-nowrap text-muted">Full access</span>;
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
