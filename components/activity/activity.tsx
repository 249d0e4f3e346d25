'use client';
import { ScrollText } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useRef } from 'react';
import { PageHeading } from '#components/frame/page-heading.tsx';
import { useRowKeys } from '#components/frame/use-row-keys.ts';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/display/card.tsx';
import { EmptyState } from '#components/ui/feedback/empty-state.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { SheetLoading } from '#components/ui/overlay/loading.tsx';
import { warm } from '#components/ui/overlay/warm.ts';
import { useActivity } from '#lib/client/activity/activity.ts';
import { foldActivity } from '#lib/client/activity/fold.ts';
import { ActivityList } from './activity-list.tsx';
import { ActivityToolbar } from './activity-toolbar.tsx';
import { ExportMenu } from './export-menu.tsx';
import { useActivitySearch } from './use-activity-search.ts';

const ActivitySheet = dynamic(() => import('./activity-sheet.tsx').then((module) => module.ActivitySheet), {
  ssr: false,
  loading: SheetLoading,
});

const warmSheet = warm(() => import('./activity-sheet.tsx'));

/** Who did what in this project, newest first. The view is its URL. */
export function Activity({ projectId }: { projectId: string }) {
  const { search, row: chosen, change, open, close, clear, filtered } = useActivitySearch();
  const activity = useActivity(projectId, search);
  const pages = activity.data?.pages;
  const rows = pages?.flatMap((page) => page.rows);
  const names = Object.assign({}, ...(pages?.map((page) => page.names) ?? []));
  const happenings = rows && foldActivity(rows);
  const shown = happenings?.find(({ row, rest }) => [row, ...rest].some(({ id }) => id === chosen));
  const area = useRef<HTMLDivElement>(null);
  useRowKeys(area, {});
  return (
    <div ref={area} {...warmSheet}>
      <PageHeading title="Activity" actions={<ExportMenu projectId={projectId} search={search} />}>
        Every change of this project and every sign-in to it.
      </PageHeading>
      <ActivityToolbar search={search} rows={rows ?? []} change={change} clear={clear} filtered={filtered} />
      <p role="status" className="sr-only">
        {happenings && !activity.isPlaceholderData ? `${happenings.length} entries` : ''}
      </p>
      {activity.error && !rows ? (
        <Card>
          <ErrorState
            error={activity.error}
            what="the activity of this project"
            onRetry={() => void activity.refetch()}
          />
        </Card>
      ) : rows?.length === 0 ? (
        <Card>
          <EmptyState
            icon={<ScrollText />}
            title={filtered ? 'Nothing fits' : 'Nothing has happened yet'}
            action={filtered ? <Button onClick={clear}>Clear filters</Button> : null}
          >
            {filtered ? 'Widen the days or choose another area.' : 'The first change will stand here.'}
          </EmptyState>
        </Card>
      ) : (
        <ActivityList happenings={happenings} stale={activity.isPlaceholderData} onOpen={open} />
      )}
      {activity.hasNextPage ? (
        <div className="mt-4 flex justify-center">
          <Button busy={activity.isFetchingNextPage} onClick={() => void activity.fetchNextPage()}>
            Older entries
          </Button>
        </div>
      ) : null}
      {shown ? <ActivitySheet happening={shown} names={names} change={change} onClose={close} /> : null}
    </div>
  );
}
