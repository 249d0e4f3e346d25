'use client';
import { SettingsCard } from '#components/settings/settings-card.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { Skeleton, SkeletonRegion } from '#components/ui/feedback/skeleton.tsx';
import { useOwnPermissions } from '#lib/client/sight/permissions.ts';
import { PermissionsList } from './permissions-list.tsx';

/** What one may do in this project, in words. */
export function OwnPermissionsCard({ project }: { project: string }) {
  const permissions = useOwnPermissions();
  return (
    <SettingsCard
      id="permissions"
      title="What you may do"
      description={`In ${project}, as its administrators have set it. Some: of those records that a sentence says.`}
    >
      {permissions.data ? (
        <PermissionsList permissions={permissions.data} who="You" />
      ) : permissions.error ? (
        <ErrorState error={permissions.error} what="what you may do" onRetry={() => void permissions.refetch()} />
      ) : (
        <SkeletonRegion label="Loading what you may do" className="flex flex-col gap-3">
          <Skeleton className="w-2/3" />
          <Skeleton className="w-1/2" />
        </SkeletonRegion>
      )}
    </SettingsCard>
  );
}
