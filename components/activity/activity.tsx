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
import { useActivity } from '#lib/client/activity/activity.ts';
import { ActivityList } from './activity-list.tsx';
import { ActivityToolbar } from './activity-toolbar.tsx';
import { useActivitySearch } from './use-activity-search.ts';

const ActivitySheet = dynamic(() => import('./activity-sheet.tsx').then((module) => module.ActivitySheet), {
  ssr: false,
});

/** Who did what in this project, newest first. The view is its URL. */
export function Activity({ projectId }: { projectId: string }) {
  const { search, row: chosen, change, open, close, clear, filtered } = useActivitySearch();
  const activity = useActivity(projectId, search);
  const pages = activity.data?.pages;
  const rows = pages?.flatMap((page) => page.rows);
  const names = Object.assign({}, ...(pages?.map((page) => page.names) ?? []));
  const shown = rows?.find(({ id }) => id === chosen);
  const area = useRef<HTMLDivElement>(null);
  useRowKeys(area, {});
  return (
    <div ref={area}>
      <PageHeading title="Activity">Every change of this project and every sign-in to it.</PageHeading>
      <ActivityToolbar search={search} rows={rows ?? []} change={change} clear={clear} filtered={filtered} />
      <p role="status" className="sr-only">
        {rows && !activity.isPlaceholderData ? `${rows.length} entries` : ''}
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
        <ActivityList rows={rows} stale={activity.isPlaceholderData} onOpen={open} />
      )}
      {activity.hasNextPage ? (
        <div className="mt-4 flex justify-center">
          <Button busy={activity.isFetchingNextPage} onClick={() => void activity.fetchNextPage()}>
            Older entries
          </Button>
        </div>
      ) : null}
      {shown ? <ActivitySheet row={shown} names={names} change={change} onClose={close} /> : null}
    </div>
  );
}
