import { Badge } from '#components/ui/badge.tsx';
import type { ProjectMembership } from '#lib/client/types.ts';

export function RoleBadge({ member }: { member: ProjectMembership }) {
  return member.admin ? <Badge tone="accent">Admin</Badge> : <Badge>Member</Badge>;
}

export function StatusBadge({ member }: { member: ProjectMembership }) {
  return member.active === false ? (
    <Badge tone="warn" dot>
      Deactivated
    </Badge>
  ) : (
    <Badge tone="good" dot>
      Active
    </Badge>
  );
}

const SHOWN = 1;

/** Policy names as chips, "+n" for the rest; none means broad access, and is said. */
export function PolicyChips({ policies }: { policies: string[] }) {
  if (policies.length === 0) return <span className="text-muted">Full access</span>;
  const rest = policies.slice(SHOWN);
  return (
    <span className="inline-flex max-w-full items-center gap-1.5">
      {policies.slice(0, SHOWN).map((policy) => (
        <Badge key={policy} className="max-w-40">
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
