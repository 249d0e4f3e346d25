'use client';
import Link from 'next/link';
import { Badge } from '#components/ui/display/badge.tsx';
import { RowLink } from '#components/ui/display/row-link.tsx';
import { policyQuery } from '#lib/client/policies/policies.ts';
import { type AccessPolicyRow, MOST_COUNTED } from '#lib/protocol/answers/access-policies.ts';
import { joined } from '#lib/protocol/policies/rule-words.ts';

export type PoliciesListProps = {
  projectId: string;
  /** Undefined while the first answer is on its way. */
  policies: AccessPolicyRow[] | undefined;
};
export type PolicyFactProps = { projectId: string; policy: AccessPolicyRow };

export function PolicyName({ projectId, policy }: PolicyFactProps) {
  return (
    <span className="flex min-w-0 items-center gap-2">
      <RowLink
        href={`/p/${projectId}/access-policies/${policy.id}`}
        query={policyQuery(projectId, policy.id)}
        className="min-w-0 truncate font-medium after:absolute after:inset-0"
      >
        {policy.name || 'Unnamed policy'}
      </RowLink>
      {policy.isDefault ? (
        <Badge tone="info" className="shrink-0">
          Default
        </Badge>
      ) : null}
    </span>
  );
}

/** What it gives, and the names of what it is based on. */
export function PolicyGives({ policy: { gives, basedOn } }: Pick<PolicyFactProps, 'policy'>) {
  if (basedOn.length === 0) return gives;
  const names = basedOn.map(({ display, reference }) => display ?? reference);
  return `${gives}. Based on ${joined(names.map(String), 'and')}`;
}

/** Who uses it, and the way to them. */
export function PolicyUse({ projectId, policy }: PolicyFactProps) {
  const { members, through, policies } = policy;
  if (members === 0 && through === 0 && policies === 0) return <span className="text-muted">Nobody</span>;
  return (
    <span className="flex flex-col items-start">
      {members > 0 ? (
        <Link
          href={`/p/${projectId}/members?policy=${policy.id}`}
          className="relative inline-flex min-h-6 items-center text-accent-text underline underline-offset-2"
        >
          {toCount(members)} {members === 1 ? 'membership' : 'memberships'}
          <span className="sr-only"> with {policy.name || 'this policy'}</span>
        </Link>
      ) : null}
      {through > 0 ? <span className="text-muted">{toCount(through)} through another policy</span> : null}
      {policies > 0 ? (
        <span className="text-muted">
          {policies} {policies === 1 ? 'policy is' : 'policies are'} based on it
        </span>
      ) : null}
    </span>
  );
}

function toCount(count: number): string {
  return count > MOST_COUNTED ? `Over ${MOST_COUNTED.toLocaleString('en')}` : count.toLocaleString('en');
}
