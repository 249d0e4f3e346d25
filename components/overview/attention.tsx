'use client';
import { CircleCheck, TriangleAlert } from 'lucide-react';
import Link from 'next/link';
import { ListRow } from '#components/ui/display/list-row.tsx';
import { EmptyState } from '#components/ui/feedback/empty-state.tsx';
import { FINDING_KINDS, type FindingKind, type Overview } from '#lib/protocol/answers/overview.ts';
import { AttentionFix } from './attention-fix.tsx';
import { Panel } from './panel.tsx';

/** Of a kind; the rest stands behind its link. */
const SHOWN = 3;

/** What a kind is called, and where all of it stands, below the project. */
const KINDS: Record<FindingKind, { one: string; many: string; all?: string }> = {
  'policy-missing': { one: 'member without their policy', many: 'members without their policy' },
  'default-missing': { one: 'default policy is gone', many: 'default policies are gone' },
  'glass-policy-missing': {
    one: 'policy of emergency access is gone',
    many: 'policies of emergency access are gone',
  },
  'profile-missing': { one: 'profile is gone', many: 'profiles are gone' },
  'one-admin': { one: 'single administrator', many: 'single administrators' },
  'bot-failing': { one: 'bot fails', many: 'bots fail', all: '/bots?show=failing' },
  'break-glass': {
    one: 'emergency access to review',
    many: 'emergency accesses to review',
    all: '/break-glass',
  },
  'access-request': {
    one: 'request for access waits',
    many: 'requests for access wait',
    all: '/access-requests',
  },
  'policy-required': { one: 'member without a policy', many: 'members without a policy' },
  'no-policy': { one: 'member reaches every record', many: 'members reach every record' },
  'shared-profile': { one: 'profile with several memberships', many: 'profiles with several memberships' },
  'mail-failed': {
    one: 'invitation not delivered',
    many: 'invitations not delivered',
    all: '/members?status=mail-failed',
  },
  'invite-expired': { one: 'invitation expired', many: 'invitations expired', all: '/members?status=invite-expired' },
};

/** What is not as it should be, by kind, each with the one press that mends it or leads to where it is mended. */
export function Attention({ projectId, overview }: { projectId: string; overview: Overview }) {
  const kinds = FINDING_KINDS.filter((kind) => overview.findingCounts[kind] > 0);
  return (
    <Panel id="attention" title="Needs attention">
      {kinds.length === 0 ? (
        <EmptyState icon={<CircleCheck />} title="All is well" className="py-10">
          Everyone has the access they were given, every invitation is on its way, and no bot fails.
        </EmptyState>
      ) : (
        <div className="divide-y divide-line">
          {kinds.map((kind) => (
            <Kind key={kind} kind={kind} projectId={projectId} overview={overview} />
          ))}
        </div>
      )}
    </Panel>
  );
}

function Kind({ kind, projectId, overview }: { kind: FindingKind; projectId: string; overview: Overview }) {
  const { one, many, all } = KINDS[kind];
  const total = overview.findingCounts[kind];
  const shown = overview.findings.filter((finding) => finding.kind === kind).slice(0, SHOWN);
  const rest = total - shown.length;
  return (
    <section aria-labelledby={`attention-${kind}`} className="py-2">
      <div className="flex min-h-8 flex-wrap items-center gap-x-3 px-4">
        <TriangleAlert className="size-4 shrink-0 text-warn-text" aria-hidden="true" />
        <h3 id={`attention-${kind}`} className="min-w-0 flex-1 font-medium">
          <span className="tabular-nums">{total.toLocaleString('en')}</span> {total === 1 ? one : many}
        </h3>
        {all && total > 1 ? (
          <Link
            href={`/p/${projectId}${all}`}
            className="rounded-sm text-[0.8125rem] text-accent-text underline-offset-3 hover:underline"
          >
            Show all {total.toLocaleString('en')}
          </Link>
        ) : null}
      </div>
      <ul>
        {shown.map((finding) => (
          <ListRow
            key={`${finding.target} ${finding.display}`}
            about={finding.target}
            className="flex min-h-10 flex-wrap items-center gap-x-3 gap-y-1 py-1 pr-4 pl-11"
          >
            <p className="min-w-0 flex-1 basis-52 text-muted">{finding.text}</p>
            <AttentionFix projectId={projectId} finding={finding} />
          </ListRow>
        ))}
      </ul>
      {rest > 0 && !all ? (
        <p className="pr-4 pl-11 text-[0.8125rem] text-muted">
          And {rest.toLocaleString('en')} more, which show up as these are mended.
        </p>
      ) : null}
    </section>
  );
}
