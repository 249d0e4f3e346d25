'use client';
import { Card } from '#components/ui/display/card.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { Skeleton, SkeletonRegion } from '#components/ui/feedback/skeleton.tsx';
import { usePermissions } from '#lib/client/sight/permissions.ts';
import { PermissionsList } from './permissions-list.tsx';

export type MemberPermissionsProps = {
  projectId: string;
  membershipId: string;
  /** Of the membership: another one is asked for again. */
  version: string | undefined;
  name: string;
};

/** What a member may do as it is saved. */
export function MemberPermissions({ projectId, membershipId, version, name }: MemberPermissionsProps) {
  const permissions = usePermissions(projectId, membershipId, version);
  return (
    <Card className="px-5 py-4">
      <h2 className="font-semibold">What they may do</h2>
      <p className="mb-4 text-[0.8125rem] text-muted">
        By what is saved, before the scopes of an app. Some: of those records that a rule says.
      </p>
      {permissions.data ? (
        <PermissionsList permissions={permissions.data} who={name} />
      ) : permissions.error ? (
        <ErrorState error={permissions.error} what="what they may do" onRetry={() => void permissions.refetch()} />
      ) : (
        <SkeletonRegion label="Loading what they may do" className="flex min-h-96 flex-col gap-3">
          <Skeleton className="w-2/3" />
          <Skeleton className="w-1/2" />
        </SkeletonRegion>
      )}
    </Card>
  );
}
