'use client';
import { CircleCheck } from 'lucide-react';
import { useRef, useState } from 'react';
import { Card } from '#components/ui/display/card.tsx';
import { ListRow } from '#components/ui/display/list-row.tsx';
import { Time } from '#components/ui/display/time.tsx';
import { EmptyState } from '#components/ui/feedback/empty-state.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { Skeleton, SkeletonRegion } from '#components/ui/feedback/skeleton.tsx';
import { FilterSelect } from '#components/ui/form/filter-select.tsx';
import { rescueFocus } from '#components/ui/overlay/rescue-focus.ts';
import type { RunSearch } from '#lib/client/bots/run-search.ts';
import { toFaultId, useRunErrors } from '#lib/client/bots/run-sight.ts';
import type { ErrorGroup, FaultState } from '#lib/protocol/bots/runs/run-sight.ts';
import { FaultCard } from './fault-card.tsx';
import { ReplayDialog, ReplayJob } from './replay.tsx';

const STATES = [
  { value: 'open', label: 'Open' },
  { value: 'resolved', label: 'Resolved' },
] as const;

export type RunErrorsProps = {
  projectId: string;
  search: Pick<RunSearch, 'bot' | 'window'>;
};

/** Failures by what is one fault, the newest first, those that are open or those that somebody has resolved; each leads to its runs. */
export function RunErrors({ projectId, search }: RunErrorsProps) {
  const [state, setState] = useState<FaultState>('open');
  const chooser = useRef<HTMLSelectElement>(null);
  const [asking, setAsking] = useState<ErrorGroup>();
  const [job, setJob] = useState('');
  return (
    <>
      <FilterSelect
        ref={chooser}
        aria-label="Which errors"
        value={state}
        onValueChange={setState}
        options={STATES}
        className="mb-3"
      />
      {job ? <ReplayJob key={job} projectId={projectId} jobId={job} onClose={() => setJob('')} /> : null}
      <Groups
        projectId={projectId}
        search={search}
        state={state}
        onGone={() => rescueFocus(chooser.current)}
        onReplay={setAsking}
      />
      {asking ? (
        <ReplayDialog
          projectId={projectId}
          what={toCounted(asking.count)}
          which={{ filter: toFilter(asking, search.bot), limit: MOST }}
          onStarted={setJob}
          onClose={() => setAsking(undefined)}
        />
      ) : null}
    </>
  );
}

/** Those that were counted, and no other: neither older ones nor what has failed since. */
function toFilter({ fingerprint, firstAt, lastAt }: ErrorGroup, bot: string) {
  return { fingerprint, since: firstAt, until: lastAt, ...(bot && { bot }) };
}

/** As many as one job runs again. */
const MOST = 500;

function toCounted(count: number): string {
  return count > MOST
    ? `the newest ${MOST} of ${count.toLocaleString('en')} runs`
    : `${count} ${count === 1 ? 'run' : 'runs'}`;
}

type GroupsProps = RunErrorsProps & { state: FaultState; onGone: () => void; onReplay: (group: ErrorGroup) => void };

function Groups({ projectId, search, state, onGone, onReplay }: GroupsProps) {
  const errors = useRunErrors(projectId, { ...search, state });
  if (errors.error && !errors.data)
    return (
      <Card>
        <ErrorState error={errors.error} what="the errors" onRetry={() => void errors.refetch()} />
      </Card>
    );
  if (!errors.data)
    return (
      <SkeletonRegion label="Loading errors" className="flex flex-col gap-2">
        {[0, 1, 2].map((card) => (
          <Card key={card} className="flex h-24 flex-col gap-2.5 p-4">
            <Skeleton className="h-4 w-1/2" />
            <Skeleton className="h-3 w-2/3" />
          </Card>
        ))}
      </SkeletonRegion>
    );
  const { groups, lookedTo } = errors.data;
  if (groups.length === 0)
    return (
      <Card>
        <EmptyState icon={<CircleCheck />} title={state === 'open' ? 'No open errors' : 'Nothing is resolved'}>
          {state === 'open'
            ? 'Runs that fail for one reason stand here together.'
            : 'What somebody says is over stands here, until it fails once more.'}
        </EmptyState>
      </Card>
    );
  return (
    <>
      <ul aria-label="Errors" className="flex flex-col gap-2">
        {groups.map((group) => (
          <ListRow key={group.fingerprint} about={toFaultId(group.fingerprint)}>
            <FaultCard
              projectId={projectId}
              group={group}
              bot={search.bot}
              onGone={onGone}
              onReplay={() => onReplay(group)}
            />
          </ListRow>
        ))}
      </ul>
      {lookedTo ? (
        <p className="mt-3 text-[0.8125rem] text-muted">
          The newest failures, back to <Time at={lookedTo} />: there are more of them.
        </p>
      ) : null}
    </>
  );
}
