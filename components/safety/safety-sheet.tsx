'use client';
import Link from 'next/link';
import { useState } from 'react';
import type { MemberView } from '#components/member/head.tsx';
import { buttonClass } from '#components/ui/button-class.ts';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { Skeleton, SkeletonRegion } from '#components/ui/feedback/skeleton.tsx';
import { FilterSelect } from '#components/ui/form/filter-select.tsx';
import { Dialog } from '#components/ui/overlay/dialog.tsx';
import { useMemberSafety } from '#lib/client/member/safety.ts';
import type { MemberSafety } from '#lib/protocol/safety/answers.ts';
import { AuditList } from './audit-list.tsx';
import { SafetyActs } from './safety-acts.tsx';

const SINCE = [
  { value: '1', label: 'Since yesterday' },
  { value: '7', label: 'Last 7 days' },
  { value: '30', label: 'Last 30 days' },
] as const;
type Days = (typeof SINCE)[number]['value'];

const DAY_MS = 86_400_000;

export function SafetySheet({ onClose, ...view }: MemberView & { onClose: () => void }) {
  const { projectId, member, facts } = view;
  const [opened] = useState(() => Date.now());
  const [days, setDays] = useState<Days>('7');
  const since = new Date(opened - Number(days) * DAY_MS).toISOString();
  const safety = useMemberSafety(projectId, member.id, since);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Is ${facts.name} in wrong hands?`}
      description="What this project knows of it."
      className="max-w-2xl"
      footer={safety.data ? <SafetyActs {...view} locked={safety.data.locked} /> : null}
    >
      <div className="flex flex-col gap-5">
        <FilterSelect aria-label="Since when" value={days} onValueChange={setDays} options={SINCE} className="w-44" />
        {safety.data ? (
          <Facts projectId={projectId} profile={member.profile.reference ?? ''} since={since} safety={safety.data} />
        ) : safety.error ? (
          <ErrorState error={safety.error} what="what happened" onRetry={() => void safety.refetch()} />
        ) : (
          <SkeletonRegion label="Loading what happened" className="flex flex-col gap-3">
            <Skeleton className="h-10" />
            <Skeleton className="h-24" />
          </SkeletonRegion>
        )}
      </div>
    </Dialog>
  );
}

type FactsProps = { projectId: string; profile: string; since: string; safety: MemberSafety };

function Facts({ projectId, profile, since, safety }: FactsProps) {
  const { locked, failures, acts, sessions, factors, passkeys } = safety;
  const log = new URLSearchParams({ actor: profile, from: since.slice(0, 10) });
  return (
    <>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-2 sm:grid-cols-4">
        <Fact name="Door" value={locked ? 'Locked' : 'Open'} />
        <Fact name="Sessions" value={String(sessions)} />
        <Fact name="Second factors" value={String(factors.length)} />
        <Fact name="Passkeys" value={String(passkeys)} />
      </dl>
      <AuditList title="Failed sign-ins and codes" rows={failures} none="None in this time." />
      <AuditList title="Done in their name" rows={acts.rows} none="Nothing in this time." />
      <Link href={`/p/${projectId}/activity?${log}`} className={buttonClass({ size: 'sm' })}>
        {acts.more ? 'All of it in the activity' : 'See it in the activity'}
      </Link>
    </>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt className="text-[0.8125rem] text-muted">{name}</dt>
      <dd className="font-medium tabular-nums">{value}</dd>
    </div>
  );
}
