'use client';
import { MailCheck } from 'lucide-react';
import dynamic from 'next/dynamic';
import { parseAsString, useQueryState } from 'nuqs';
import { useState } from 'react';
import { useUrlSheet } from '#components/frame/use-url-sheet.ts';
import { Button } from '#components/ui/button.tsx';
import { Badge } from '#components/ui/display/badge.tsx';
import { Card } from '#components/ui/display/card.tsx';
import { Alert } from '#components/ui/feedback/alert.tsx';
import { EmptyState } from '#components/ui/feedback/empty-state.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { Skeleton, SkeletonRegion } from '#components/ui/feedback/skeleton.tsx';
import { DialogLoading, SheetLoading } from '#components/ui/overlay/loading.tsx';
import { ofGroup, toGroupId, useDeadLetterGroups } from '#lib/client/bots/dead-letters.ts';
import type { DeadLetterGroups } from '#lib/protocol/bots/dead-letters.ts';
import { GroupCard } from './group-card.tsx';
import type { Taking } from './take-dialog.tsx';

const LettersSheet = dynamic(() => import('./letters-sheet.tsx').then((module) => module.LettersSheet), {
  ssr: false,
  loading: SheetLoading,
});
const TakeDialog = dynamic(() => import('./take-dialog.tsx').then((module) => module.TakeDialog), {
  ssr: false,
  loading: DialogLoading,
});

/** Events that were given up, by what is alike: of one bot, or of the project. The address says which group is open. */
export function DeadLetters({ projectId, botId }: { projectId: string; botId?: string }) {
  const [error, setError] = useQueryState('error', parseAsString);
  const groups = useDeadLetterGroups(projectId, botId, error ?? '');
  const [open, setOpen] = useQueryState('group', parseAsString);
  const sheet = useUrlSheet<string>((group, options) => setOpen(group, options));
  const [taking, setTaking] = useState<Taking>();
  const rows = groups.data?.rows;
  const chosen = rows?.find((group) => toGroupId(group) === open);
  return (
    <>
      {groups.data ? <Waiting {...groups.data} /> : null}
      {error ? (
        <div className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-2">
          <Badge tone="danger">Of one error</Badge>
          <Button size="sm" variant="ghost" onClick={() => void setError(null)}>
            Show all
          </Button>
        </div>
      ) : null}
      {groups.error && !rows ? (
        <Card>
          <ErrorState error={groups.error} what="the dead letters" onRetry={() => void groups.refetch()} />
        </Card>
      ) : !rows ? (
        <SkeletonRegion label="Loading dead letters" className="flex flex-col gap-3">
          {[0, 1].map((card) => (
            <Card key={card} className="flex flex-col gap-3 p-5">
              <Skeleton className="h-4 w-1/3" />
              <Skeleton className="h-8" />
            </Card>
          ))}
        </SkeletonRegion>
      ) : rows.length === 0 ? (
        <Card>
          <EmptyState icon={<MailCheck />} title={error ? 'Nothing is given up of this error' : 'Nothing was given up'}>
            An event that {botId ? 'this' : 'a'} bot fails with, after all attempts that its trigger gives it, waits
            here to be run again.
          </EmptyState>
        </Card>
      ) : (
        <ul aria-label="Groups of dead letters" className="flex flex-col gap-3">
          {rows.map((group) => (
            <li key={toGroupId(group)}>
              <GroupCard
                projectId={projectId}
                group={group}
                isOfOne={botId !== undefined}
                onOpen={() => sheet.open(toGroupId(group))}
                onTake={(act) => setTaking({ act, count: group.count, of: { all: ofGroup(group) } })}
              />
            </li>
          ))}
        </ul>
      )}
      {groups.data?.more ? (
        <p className="mt-3 text-muted">There are further groups: run or drop some of these, and they follow.</p>
      ) : null}
      {chosen ? <LettersSheet projectId={projectId} group={chosen} onTake={setTaking} onClose={sheet.close} /> : null}
      {taking ? (
        <TakeDialog
          {...taking}
          projectId={projectId}
          onDone={() => chosen && taking.count >= chosen.count && sheet.close()}
          onClose={() => setTaking(undefined)}
        />
      ) : null}
    </>
  );
}

/** Of the whole project: what has not been given up yet. */
function Waiting({ waiting, waitingUntil }: Pick<DeadLetterGroups, 'waiting' | 'waitingUntil'>) {
  if (waiting === 0) return null;
  const events = waiting === 1 ? 'One event of this project waits' : `${waiting} events of this project wait`;
  if (waitingUntil === null) return <p className="mb-3 text-muted">{events} to be run.</p>;
  return (
    <Alert tone="warn" className="mb-3">
      {events} until {new Date(waitingUntil).toLocaleTimeString(undefined, { timeStyle: 'short' })}: those of this hour
      are used up (botEventsPerHour), or a bot is tried again then.
    </Alert>
  );
}
