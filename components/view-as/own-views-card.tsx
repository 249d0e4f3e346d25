'use client';
import { Moment } from '#components/access-requests/moment.tsx';
import { SettingsCard } from '#components/settings/settings-card.tsx';
import { Button } from '#components/ui/button.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { Skeleton, SkeletonRegion } from '#components/ui/feedback/skeleton.tsx';
import { useOwnViews } from '#lib/client/view-as/own-views.ts';

/** Which administrators looked at this project with one’s own eyes, when and why. */
export function OwnViewsCard() {
  const views = useOwnViews();
  const rows = views.data?.pages.flatMap((page) => page.rows);
  return (
    <SettingsCard
      id="views"
      title="Who looked with your eyes"
      description="An administrator may see this project as you see it, for ten minutes, and changes nothing."
    >
      {rows ? (
        rows.length === 0 ? (
          <p className="text-muted">Nobody has.</p>
        ) : (
          <ul aria-label="Who looked with your eyes" className="divide-y divide-line">
            {rows.map(({ id, by, startedAt, endedAt, reason }) => (
              <li key={id} className="py-3 first:pt-0 last:pb-0">
                <p className="break-words font-medium">{by ?? 'An administrator'}</p>
                <p className="mt-0.5 text-[0.8125rem] text-muted">
                  <Moment at={startedAt} /> until <Moment at={endedAt} />
                </p>
                {reason ? (
                  <p dir="auto" className="mt-1 break-words text-[0.8125rem]">
                    {reason}
                  </p>
                ) : null}
              </li>
            ))}
          </ul>
        )
      ) : views.error ? (
        <ErrorState error={views.error} what="who looked with your eyes" onRetry={() => void views.refetch()} />
      ) : (
        <SkeletonRegion label="Loading who looked with your eyes" className="flex flex-col gap-3">
          <Skeleton className="w-2/3" />
        </SkeletonRegion>
      )}
      {views.hasNextPage ? (
        <Button size="sm" className="mt-3" busy={views.isFetchingNextPage} onClick={() => void views.fetchNextPage()}>
          Show earlier ones
        </Button>
      ) : null}
    </SettingsCard>
  );
}
