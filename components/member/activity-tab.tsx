'use client';
import { History } from 'lucide-react';
import { parseAsStringLiteral, useQueryState } from 'nuqs';
import { Button } from '#components/ui/button.tsx';
import { Badge } from '#components/ui/display/badge.tsx';
import { Card } from '#components/ui/display/card.tsx';
import { Time } from '#components/ui/display/time.tsx';
import { Timeline, TimelineChanges, TimelineItem } from '#components/ui/display/timeline.tsx';
import { EmptyState } from '#components/ui/feedback/empty-state.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { Skeleton, SkeletonRegion } from '#components/ui/feedback/skeleton.tsx';
import { FilterSelect } from '#components/ui/form/filter-select.tsx';
import { useActivity } from '#lib/client/activity/activity.ts';
import { toChanges } from '#lib/client/activity/changes.ts';
import { foldActivity } from '#lib/client/activity/fold.ts';
import type { Member } from '#lib/client/api/types.ts';
import type { AuditNames, AuditRow } from '#lib/protocol/answers/audit.ts';
import { toActionWords } from './audit-words.ts';

const SHOWS = ['everything', 'changes', 'sign-ins', 'refused'] as const;
type Show = (typeof SHOWS)[number];

const LABELS: Record<Show, string> = {
  everything: 'Everything',
  changes: 'Changes',
  'sign-ins': 'Sign-ins',
  refused: 'Refused',
};
const FILTERS = {
  everything: { area: 'any', outcome: 'any' },
  changes: { area: 'people', outcome: 'any' },
  'sign-ins': { area: 'sign-in', outcome: 'any' },
  refused: { area: 'any', outcome: 'failure' },
} as const;

/** What happened in this project to a member, their account and their record, newest first: sign-ins too. */
export function ActivityTab({ projectId, member }: { projectId: string; member: Member }) {
  const [show, setShow] = useQueryState('show', parseAsStringLiteral(SHOWS).withDefault('everything'));
  return (
    <>
      <FilterSelect
        aria-label="Show"
        value={show}
        onValueChange={(next) => void setShow(next)}
        options={SHOWS.map((value) => ({ value, label: LABELS[value] }))}
        className="mb-5 w-40"
      />
      <Happenings projectId={projectId} member={member} show={show} />
    </>
  );
}

type HappeningsProps = { projectId: string; member: Member; show: Show };

function Happenings({ projectId, member, show }: HappeningsProps) {
  const parties = [`ProjectMembership/${member.id}`, member.user.reference, member.profile.reference];
  const target = [...new Set(parties.filter((reference) => reference !== undefined))].join(',');
  const activity = useActivity(projectId, { ...FILTERS[show], actor: '', target, from: '', to: '' });
  if (activity.error && !activity.data) {
    return (
      <Card>
        <ErrorState error={activity.error} what="the activity" onRetry={() => void activity.refetch()} />
      </Card>
    );
  }
  if (!activity.data) {
    return (
      <SkeletonRegion label="Loading the activity" className="flex flex-col gap-5">
        {['w-3/5', 'w-2/5', 'w-1/2'].map((width) => (
          <Skeleton key={width} className={width} />
        ))}
      </SkeletonRegion>
    );
  }
  const rows = activity.data.pages.flatMap((page) => page.rows);
  const names = Object.assign({}, ...activity.data.pages.map((page) => page.names ?? {})) as AuditNames;
  if (rows.length === 0) {
    return (
      <Card>
        <EmptyState icon={<History />} title={show === 'everything' ? 'Nothing happened yet' : 'Nothing of this kind'}>
          Sign-ins and every change of this member’s role, access and status appear here.
        </EmptyState>
      </Card>
    );
  }
  return (
    <>
      <Timeline label="Activity">
        {foldActivity(rows).map(({ row }) => (
          <Entry key={row.id} row={row} names={names} />
        ))}
      </Timeline>
      {activity.hasNextPage ? (
        <Button className="mt-4" busy={activity.isFetchingNextPage} onClick={() => void activity.fetchNextPage()}>
          Show older
        </Button>
      ) : null}
    </>
  );
}

function Entry({ row, names }: { row: AuditRow; names: AuditNames }) {
  return (
    <TimelineItem>
      <p className="flex flex-wrap items-center gap-x-2">
        <span className="font-medium">{toActionWords(row.action)}</span>
        {row.outcome === 'failure' ? <Badge tone="danger">Refused</Badge> : null}
        <span className="text-muted">
          {toAuthor(row)} <Time at={row.at} />
        </span>
      </p>
      {row.before && row.after ? <TimelineChanges changes={toChanges(row.before, row.after, names)} /> : null}
    </TimelineItem>
  );
}

/** Who gives a password is nobody yet. */
function toAuthor({ actor, action }: AuditRow): string {
  const name = actor.display ?? actor.reference ?? (action.startsWith('login.') ? undefined : 'the system');
  return name ? `by ${name},` : '';
}
