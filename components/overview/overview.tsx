'use client';
import { PageHeading } from '#components/frame/page-heading.tsx';
import { Card } from '#components/ui/display/card.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { useMe } from '#lib/client/frame/me.ts';
import { useOverview } from '#lib/client/overview/overview.ts';
import { Attention } from './attention.tsx';
import { FirstSteps } from './first-steps.tsx';
import { LastRuns } from './last-runs.tsx';
import { MemberHome } from './member-home.tsx';
import { OverviewSkeleton } from './overview-skeleton.tsx';
import { RecentChanges } from './recent-changes.tsx';
import { Tiles } from './tiles.tsx';

/** Where a person lands: how the project stands for who runs it, one's own place in it for everyone else. */
export function Overview({ projectId }: { projectId: string }) {
  const me = useMe();
  if (me.error && !me.data) {
    return (
      <Card>
        <ErrorState error={me.error} what="your project" onRetry={() => void me.refetch()} />
      </Card>
    );
  }
  if (!me.data) return <OverviewSkeleton />;
  if (!me.data.membership.admin) return <MemberHome me={me.data} />;
  return <AdminOverview projectId={projectId} name={me.data.project.name ?? 'Your project'} />;
}

function AdminOverview({ projectId, name }: { projectId: string; name: string }) {
  const overview = useOverview(projectId);
  const { data } = overview;
  if (!data && !overview.error) return <OverviewSkeleton />;
  return (
    <>
      <PageHeading title={name}>How this project stands.</PageHeading>
      <div className="flex flex-col gap-6">
        {data ? (
          <>
            <FirstSteps projectId={projectId} steps={data.checklist} />
            <Tiles projectId={projectId} overview={data} />
          </>
        ) : overview.error ? (
          <Card>
            <ErrorState
              error={overview.error}
              what="the numbers of this project"
              onRetry={() => void overview.refetch()}
            />
          </Card>
        ) : null}
        {/* Each of these asks for what it shows, if it has to: one that fails fails alone. */}
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-6 xl:grid-cols-2">
          <div className="flex min-w-0 flex-col gap-6">
            {data ? <Attention projectId={projectId} overview={data} /> : null}
            <LastRuns projectId={projectId} />
          </div>
          <RecentChanges projectId={projectId} rows={data?.recent} />
        </div>
      </div>
    </>
  );
}
