'use client';
import { Activity } from 'lucide-react';
import dynamic from 'next/dynamic';
import { parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';
import { useUrlSheet } from '#components/frame/use-url-sheet.ts';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/display/card.tsx';
import { EmptyState } from '#components/ui/feedback/empty-state.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { Select } from '#components/ui/form/select.tsx';
import { SheetLoading } from '#components/ui/overlay/loading.tsx';
import { useRuns } from '#lib/client/bots/runs.ts';
import { RUN_STATES } from '#lib/protocol/bots/bots.ts';
import { RunsTable } from './runs-table.tsx';

const RunSheet = dynamic(() => import('../run/sheet.tsx').then((module) => module.RunSheet), {
  ssr: false,
  loading: SheetLoading,
});

const STATES = [
  { value: 'any', label: 'All runs' },
  { value: 'ok', label: 'OK' },
  { value: 'failed', label: 'Failed' },
  { value: 'timeout', label: 'Timed out' },
  { value: 'out-of-memory', label: 'Out of memory' },
] as const;

const parsers = { runs: parseAsStringLiteral(['any', ...RUN_STATES]).withDefault('any'), run: parseAsString };

/** The runs of one bot, newest first. */
export function BotRuns({ projectId, botId }: { projectId: string; botId: string }) {
  const [{ runs: status, run: chosen }, setView] = useQueryStates(parsers);
  const sheet = useUrlSheet<string>((run, options) => setView({ run }, options));
  const runs = useRuns(projectId, botId, status);
  const rows = runs.data?.pages.flatMap((page) => page.rows);
  return (
    <>
      <div className="mb-3 flex items-center gap-2">
        <Select
          aria-label="Status of runs"
          value={status}
          options={STATES}
          onValueChange={(next) => void setView({ runs: next })}
          className="min-w-36"
        />
      </div>
      {runs.error && !rows ? (
        <Card>
          <ErrorState error={runs.error} what="the runs of this bot" onRetry={() => void runs.refetch()} />
        </Card>
      ) : rows?.length === 0 ? (
        <Card>
          <EmptyState icon={<Activity />} title={status === 'any' ? 'It has not run yet' : 'No run ended like this'}>
            {status === 'any' ? 'Every run is kept here with its logs, whoever called it.' : 'Choose another status.'}
          </EmptyState>
        </Card>
      ) : (
        <RunsTable runs={rows} onOpen={sheet.open} />
      )}
      {runs.hasNextPage ? (
        <div className="mt-3 flex justify-center">
          <Button busy={runs.isFetchingNextPage} onClick={() => void runs.fetchNextPage()}>
            Older runs
          </Button>
        </div>
      ) : null}
      {chosen ? <RunSheet projectId={projectId} runId={chosen} onTurn={sheet.turn} onClose={sheet.close} /> : null}
    </>
  );
}
