'use client';
import { OwnRequestsCard } from '#components/access-requests/own-requests-card.tsx';
import { OwnKeysCard } from '#components/api-keys/own-keys-card.tsx';
import { OwnGrantsCard } from '#components/break-glass/own-grants-card.tsx';
import { PageHeading } from '#components/frame/page-heading.tsx';
import { PasskeysCard } from '#components/passkeys/passkeys-card.tsx';
import { OwnPermissionsCard } from '#components/sight/own-permissions-card.tsx';
import { Card } from '#components/ui/display/card.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { Skeleton, SkeletonRegion } from '#components/ui/feedback/skeleton.tsx';
import { OwnViewsCard } from '#components/view-as/own-views-card.tsx';
import { useMe } from '#lib/client/frame/me.ts';
import { AddressCard } from './address-card.tsx';
import { AppearanceCard } from './appearance-card.tsx';
import { AppsCard } from './apps-card.tsx';
import { CopyCard } from './copy-card.tsx';
import { DevicesCard } from './devices-card.tsx';
import { EraseCard } from './erase-card.tsx';
import { MergeCard } from './merge-card.tsx';
import { PasswordCard } from './password-card.tsx';
import { ProfileCard } from './profile-card.tsx';
import { ProjectsCard } from './projects-card.tsx';
import { SessionsCard } from './sessions-card.tsx';
import { TwoStepCard } from './two-step-card.tsx';

/** What is one's own: who one is here, password, sessions, and how the console looks. */
export function Account() {
  const me = useMe();
  return (
    <div className="max-w-4xl">
      <PageHeading title="Account">Yours alone; administrators of a project do not see this page.</PageHeading>
      <div className="flex flex-col gap-5">
        {me.data ? (
          <>
            <ProfileCard me={me.data} />
            <ProjectsCard />
            <AddressCard />
            <PasswordCard personal={[me.data.membership.profile.display ?? '']} />
            <PasskeysCard />
            <TwoStepCard />
            <SessionsCard sessions={me.data.security?.sessions ?? []} />
            <DevicesCard />
            <AppsCard />
            <OwnKeysCard projectId={me.data.project.id} />
            <MergeCard />
            <CopyCard />
            <EraseCard />
            <OwnRequestsCard />
            <OwnViewsCard />
            {me.data.breakGlass ? <OwnGrantsCard /> : null}
            {/* As long as the policies are: nothing that one reads stands below it and moves. */}
            <OwnPermissionsCard project={me.data.project.name ?? 'this project'} />
          </>
        ) : me.error ? (
          <Card>
            <ErrorState error={me.error} what="your account" onRetry={() => void me.refetch()} />
          </Card>
        ) : (
          <Waiting />
        )}
        <AppearanceCard />
      </div>
    </div>
  );
}

function Waiting() {
  return (
    <SkeletonRegion label="Loading your account" className="flex flex-col gap-5">
      {['h-36', 'h-44', 'h-52'].map((height) => (
        <Card key={height} className={`p-6 ${height}`}>
          <Skeleton className="h-5 w-32" />
          <Skeleton className="mt-3 w-64 max-w-full" />
          <Skeleton className="mt-6 w-44" />
        </Card>
      ))}
    </SkeletonRegion>
  );
}
