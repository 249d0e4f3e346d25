'use client';
import { AppRegistrationCard } from '#components/app-registration/app-registration-card.tsx';
import { GlassSettingsCard } from '#components/break-glass/glass-settings-card.tsx';
import { PageHeading } from '#components/frame/page-heading.tsx';
import { DomainsCard } from '#components/mail-domains/domains-card.tsx';
import { RecordErasureCard } from '#components/record-erasure/record-erasure-card.tsx';
import { DirectoriesCard } from '#components/scim/directories-card.tsx';
import { Card } from '#components/ui/display/card.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { Skeleton, SkeletonRegion } from '#components/ui/feedback/skeleton.tsx';
import { useProject } from '#lib/client/settings/settings.ts';
import { CloseCard } from './close-card.tsx';
import { DefaultAccessCard } from './default-access-card.tsx';
import { ExportCard } from './export-card.tsx';
import { GeneralCard } from './general-card.tsx';
import { ImportCard } from './import-card.tsx';
import { KeysCard } from './keys-card.tsx';
import { PolicyRequiredCard } from './policy-required-card.tsx';
import { RecordIdsCard } from './record-ids-card.tsx';
import { RegistrationCard } from './registration-card.tsx';
import { SecretsCard } from './secrets-card.tsx';
import { SessionsCard } from './sessions-card.tsx';
import { TextSearchCard } from './text-search-card.tsx';
import { TwoStepSettingsCard } from './two-step-card.tsx';
import { ViewsCard } from './views-card.tsx';
import { WaysCard } from './ways-card.tsx';

/** What holds for the whole project. Each card saves alone. */
export function Settings({ projectId }: { projectId: string }) {
  const project = useProject(projectId);
  return (
    <div className="max-w-4xl">
      <PageHeading title="Project settings">What holds for everyone in this project.</PageHeading>
      <div className="flex flex-col gap-5">
        {project.data ? (
          <>
            <GeneralCard project={project.data} />
            <DefaultAccessCard project={project.data} />
            <PolicyRequiredCard project={project.data} />
            <GlassSettingsCard project={project.data} />
            <WaysCard project={project.data} />
            <TwoStepSettingsCard project={project.data} />
            <SessionsCard project={project.data} />
            <RegistrationCard project={project.data} />
            <KeysCard project={project.data} />
            <ViewsCard project={project.data} />
            <RecordIdsCard project={project.data} />
            <TextSearchCard project={project.data} />
            <AppRegistrationCard project={project.data} />
          </>
        ) : project.error ? (
          <Card>
            <ErrorState
              error={project.error}
              what="the settings of this project"
              onRetry={() => void project.refetch()}
            />
          </Card>
        ) : (
          <Waiting />
        )}
        <SecretsCard projectId={projectId} />
        <DomainsCard projectId={projectId} />
        <DirectoriesCard projectId={projectId} />
        <ExportCard projectId={projectId} />
        <ImportCard />
        {project.data ? <RecordErasureCard project={project.data} /> : null}
        {project.data ? <CloseCard project={project.data} /> : null}
      </div>
    </div>
  );
}

function Waiting() {
  return (
    <SkeletonRegion label="Loading settings" className="flex flex-col gap-5">
      {['h-80', 'h-88'].map((height) => (
        <Card key={height} className={`p-6 ${height}`}>
          <Skeleton className="h-5 w-32" />
          <Skeleton className="mt-3 w-72 max-w-full" />
          <Skeleton className="mt-7 h-9" />
          <Skeleton className="mt-6 h-9" />
        </Card>
      ))}
    </SkeletonRegion>
  );
}
