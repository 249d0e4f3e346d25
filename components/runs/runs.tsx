'use client';
import { Activity, SearchX } from 'lucide-react';
import dynamic from 'next/dynamic';
import Link from 'next/link';
import { useRef, useState } from 'react';
import { PageHeading } from '#components/frame/page-heading.tsx';
import { useRowKeys } from '#components/frame/use-row-keys.ts';
import { Button } from '#components/ui/button.tsx';
import { buttonClass } from '#components/ui/button-class.ts';
import { Card } from '#components/ui/display/card.tsx';
import { Time } from '#components/ui/display/time.tsx';
import { Alert } from '#components/ui/feedback/alert.tsx';
import { EmptyState } from '#components/ui/feedback/empty-state.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { SheetLoading } from '#components/ui/overlay/loading.tsx';
import { warm } from '#components/ui/overlay/warm.ts';
import { useProjectRuns } from '#lib/client/bots/runs.ts';
import { RunsCards } from './cards.tsx';
import { RunsToolbar } from './runs-toolbar.tsx';
import { RunsTable } from './table.tsx';
import { useRunSearch } from './use-run-search.ts';

const RunSheet = dynamic(() => import('#components/bots/run/sheet.tsx').then((module) => module.RunSheet), {
  ssr: false,
  loading: SheetLoading,
});

const warmSheet = warm(() => import('#components/bots/run/sheet.tsx'));
/** Of one letter the API finds nothing. */
const SHORTEST = 2;

/** What the bots of this project did, newest first. The view is its URL, but for the text: that may be somebody's name. */
export function Runs({ projectId }: { projectId: string }) {
  const { search, run: chosen, change, sheet, clear, filtered } = useRunSearch();
  const [text, setText] = useState('');
  const runs = useProjectRuns(projectId, search, text.length < SHORTEST ? '' : text);
  const rows = runs.data?.pages.flatMap((page) => page.rows);
  const narrowed = filtered || text !== '';
  const clearAll = () => {
    setText('');
    clear();
  };
  const area = useRef<HTMLDivElement>(null);
  useRowKeys(area, {});
  return (
    <div ref={area} {...warmSheet}>
      <PageHeading title="Runs">What the bots of this project did, whoever or whatever made them.</PageHeading>
      <RunsToolbar
        projectId={projectId}
        search={search}
        change={change}
        text={text}
        onText={setText}
        onClear={narrowed ? clearAll : undefined}
      />
      <p role="status" className="sr-only">
        {rows && !runs.isPlaceholderData ? `${rows.length} ${rows.length === 1 ? 'run' : 'runs'}` : ''}
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
              action={<Button onClick={clearAll}>Clear filters</Button>}
            >
              {runs.hasNextPage
                ? 'Among the newest none fits. Older runs may.'
                : 'Choose another status, trigger, bot or time.'}
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
        <>
          <RunsTable runs={rows} stale={runs.isPlaceholderData} onOpen={sheet.open} />
          <RunsCards runs={rows} stale={runs.isPlaceholderData} onOpen={sheet.open} />
        </>
      )}
      {runs.hasNextPage ? (
        <Older
          lookedTo={narrowed ? runs.data?.pages.at(-1)?.lookedTo : undefined}
          failed={runs.isFetchNextPageError}
          busy={runs.isFetchingNextPage}
          onMore={() => void runs.fetchNextPage()}
        />
      ) : null}
      {chosen ? <RunSheet projectId={projectId} runId={chosen} onTurn={sheet.turn} onClose={sheet.close} /> : null}
    </div>
  );
}

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
