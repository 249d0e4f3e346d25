'use client';
import { Activity, SearchX } from 'lucide-react';
import Link from 'next/link';
import { useRef, useState } from 'react';
import { useSelection } from '#components/frame/use-selection.ts';
import { Button } from '#components/ui/button.tsx';
import { buttonClass } from '#components/ui/button-class.ts';
import { Card } from '#components/ui/display/card.tsx';
import { Time } from '#components/ui/display/time.tsx';
import { Alert } from '#components/ui/feedback/alert.tsx';
import { EmptyState } from '#components/ui/feedback/empty-state.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { useLiveRuns } from '#lib/client/bots/live-runs.ts';
import type { RunSearch } from '#lib/client/bots/run-search.ts';
import { useProjectRuns } from '#lib/client/bots/runs.ts';
import { RunsCards } from './cards.tsx';
import { LiveBar } from './live-bar.tsx';
import { ReplayBar } from './replay-bar.tsx';
import { RunningNow } from './running-now.tsx';
import { RunsTable } from './table.tsx';

/** Of one letter the API finds nothing. */
const SHORTEST = 2;
/** As many as one job runs again. */
const MOST_CHOSEN = 500;

export type RunsListProps = {
  projectId: string;
  search: RunSearch;
  text: string;
  narrowed: boolean;
  onClear: () => void;
  onOpen: (runId: string) => void;
  /** On the page of the bot that `search` says. */
  ofOne?: true;
};

/** Newest first, a page at a time; followed as they come, chosen to be run again. */
export function RunsList({ projectId, search, text, narrowed, onClear, onOpen, ofOne }: RunsListProps) {
  const runs = useProjectRuns(projectId, search, text.length < SHORTEST ? '' : text);
  const rows = runs.data?.pages.flatMap((page) => page.rows);
  const [isLive, setLive] = useState(false);
  const [paused, setPaused] = useState(false);
  // What an input holds is not looked at as it comes.
  const on = isLive && text === '';
  const live = useLiveRuns(projectId, search, on, () => paused || window.scrollY > FAR_PX);
  const selection = useSelection(rows?.map(({ id }) => id) ?? [], '', MOST_CHOSEN);
  // Nothing runs again that is not on the screen: it may be of another view, or pushed off by what came.
  const chosen = new Set(rows?.flatMap(({ id }) => (selection.ids.has(id) ? [id] : [])));
  const view = JSON.stringify([search, text]);
  const [chosenIn, setChosenIn] = useState(view);
  if (chosenIn !== view) {
    setChosenIn(view);
    selection.clear();
  }
  const list = { runs: rows, stale: runs.isPlaceholderData, selection, onOpen, ofOne };
  const area = useRef<HTMLElement>(null);
  return (
    <>
      {text === '' ? (
        <LiveBar on={on} paused={paused} live={live} onTurn={setLive} onPause={setPaused}>
          <RunningNow projectId={projectId} bot={ofOne && search.bot} />
        </LiveBar>
      ) : null}
      <ReplayBar projectId={projectId} chosen={chosen} list={area} onClear={selection.clear} />
      <p role="status" className="sr-only">
        {rows && !runs.isPlaceholderData && !on ? `${rows.length} ${rows.length === 1 ? 'run' : 'runs'}` : ''}
      </p>
      {runs.error && !rows ? (
        <Card>
          <ErrorState error={runs.error} what="the runs of this project" onRetry={() => void runs.refetch()} />
        </Card>
      ) : rows?.length === 0 ? (
        <Card>
          {narrowed ? (
            <EmptyState
              icon={<SearchX />}
              title={runs.hasNextPage ? 'Nothing yet' : 'No run fits'}
              action={<Button onClick={onClear}>Clear filters</Button>}
            >
              {runs.hasNextPage
                ? 'Among the newest none fits. Older runs may.'
                : `Choose another status, trigger, ${ofOne ? 'version' : 'bot'} or time.`}
            </EmptyState>
          ) : ofOne ? (
            <EmptyState icon={<Activity />} title="It has not run yet">
              Every run is kept here with its logs, whoever called it.
            </EmptyState>
          ) : (
            <EmptyState
              icon={<Activity />}
              title="No bot has run yet"
              action={
                <Link href={`/p/${projectId}/bots`} className={buttonClass({})}>
                  Go to the bots
                </Link>
              }
            >
              Every run is kept here with its logs, and what it asked for.
            </EmptyState>
          )}
        </Card>
      ) : (
        <section ref={area} tabIndex={-1} aria-label="Runs found" className="outline-none">
          <RunsTable {...list} />
          <RunsCards {...list} />
        </section>
      )}
      {runs.hasNextPage ? (
        <Older
          lookedTo={narrowed ? runs.data?.pages.at(-1)?.lookedTo : undefined}
          failed={runs.isFetchNextPageError}
          busy={runs.isFetchingNextPage}
          onMore={() => void runs.fetchNextPage()}
        />
      ) : null}
    </>
  );
}

/** Whoever has scrolled so far reads: what is above is left as it is. */
const FAR_PX = 120;

type OlderProps = { lookedTo: string | null | undefined; failed: boolean; busy: boolean; onMore: () => void };

/** `lookedTo`: a page that was narrowed may have found little of much. */
function Older({ lookedTo, failed, busy, onMore }: OlderProps) {
  return (
    <div className="mt-4 flex flex-col items-center gap-2">
      {lookedTo ? (
        <p className="text-[0.8125rem] text-muted">
          Looked back to <Time at={lookedTo} />.
        </p>
      ) : null}
      {failed ? <Alert tone="danger">Older runs did not load.</Alert> : null}
      <Button busy={busy} onClick={onMore}>
        Older runs
      </Button>
    </div>
  );
}
