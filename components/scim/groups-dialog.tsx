'use client';
import { useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Badge } from '#components/ui/display/badge.tsx';
import { ListRow } from '#components/ui/display/list-row.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { Skeleton, SkeletonRegion } from '#components/ui/feedback/skeleton.tsx';
import { Dialog } from '#components/ui/overlay/dialog.tsx';
import { useScimGroups } from '#lib/client/scim/groups.ts';
import type { ScimConnectionRow, ScimGroupRow } from '#lib/protocol/answers/scim-connections.ts';
import { GroupForm } from './group-form.tsx';

export type GroupsDialogProps = { projectId: string; row: ScimConnectionRow; onClose: () => void };

/** The groups that a directory has sent, and what each gives to its members. */
export function GroupsDialog({ projectId, row, onClose }: GroupsDialogProps) {
  const groups = useScimGroups(projectId, row.id);
  const [edited, edit] = useState<ScimGroupRow>();
  if (edited) {
    return <GroupForm projectId={projectId} connectionId={row.id} group={edited} onClose={() => edit(undefined)} />;
  }
  const rows = groups.data?.rows;
  const more = (groups.data?.total ?? 0) - (rows?.length ?? 0);
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={`Groups of ${row.name}`}
      description="Who is in a group has what it gives, beside what was given by hand."
      className="max-w-2xl"
      footer={
        <Button variant="primary" onClick={onClose}>
          Close
        </Button>
      }
    >
      {rows?.length === 0 ? (
        <p className="py-2 text-muted">None yet. Let the directory push its groups; then say here what they give.</p>
      ) : rows ? (
        <>
          <ul aria-label="Groups" className="divide-y divide-line rounded-lg border border-line">
            {rows.map((group) => (
              <ListRow
                key={group.id}
                about={group.id}
                className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2 pr-2 pl-4"
              >
                <div className="min-w-0 flex-1 basis-56">
                  <p className="truncate font-medium">{group.displayName}</p>
                  <p className="text-[0.8125rem] text-muted">
                    {group.members === 1 ? '1 member' : `${group.members} members`}
                  </p>
                </div>
                <Gives group={group} />
                <Button
                  size="sm"
                  variant="ghost"
                  aria-label={`Change what ${group.displayName} gives`}
                  onClick={() => edit(group)}
                >
                  Change
                </Button>
              </ListRow>
            ))}
          </ul>
          {more > 0 ? <p className="pt-2 text-muted">{more} more are not shown here: they are in the API.</p> : null}
        </>
      ) : groups.error ? (
        <ErrorState error={groups.error} what="the groups" onRetry={() => void groups.refetch()} />
      ) : (
        <SkeletonRegion label="Loading groups" className="flex flex-col gap-4 py-2">
          <Skeleton className="w-72 max-w-full" />
          <Skeleton className="w-64 max-w-full" />
        </SkeletonRegion>
      )}
    </Dialog>
  );
}

function Gives({ group: { access, admin } }: { group: ScimGroupRow }) {
  if (!admin && access.length === 0) return <span className="text-[0.8125rem] text-muted">gives nothing</span>;
  const names = [...new Set(access.map(({ policy }) => policy.display ?? policy.reference))];
  return (
    <span className="flex min-w-0 flex-wrap gap-1">
      {admin ? <Badge tone="accent">Admin</Badge> : null}
      {names.map((name) => (
        <Badge key={name} className="max-w-48">
          <span className="truncate">{name}</span>
        </Badge>
      ))}
    </span>
  );
}
