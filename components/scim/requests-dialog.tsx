'use client';
import { Button } from '#components/ui/button.tsx';
import { Badge } from '#components/ui/display/badge.tsx';
import { Time } from '#components/ui/display/time.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { Skeleton, SkeletonRegion } from '#components/ui/feedback/skeleton.tsx';
import { Dialog } from '#components/ui/overlay/dialog.tsx';
import { useScimRequests } from '#lib/client/scim/connections.ts';
import type { ScimConnectionRow } from '#lib/protocol/answers/scim-connections.ts';

export type RequestsDialogProps = { projectId: string; row: ScimConnectionRow; onClose: () => void };

/** What the directory asked last: neither what it sent nor what it was told. */
export function RequestsDialog({ projectId, row, onClose }: RequestsDialogProps) {
  const requests = useScimRequests(projectId, row.id);
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={`Requests of ${row.name}`}
      description={`${row.requests} in all; the last 200 are kept, without what they said.`}
      className="max-w-2xl"
      footer={
        <>
          <Button onClick={() => void requests.refetch()}>Ask again</Button>
          <Button variant="primary" onClick={onClose}>
            Close
          </Button>
        </>
      }
    >
      {requests.data?.length === 0 ? (
        <p className="py-2 text-muted">None yet. Let the directory test its connection.</p>
      ) : requests.data ? (
        <ul aria-label="Requests" className="divide-y divide-line rounded-lg border border-line">
          {requests.data.map(({ at, method, path, status, error }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: nothing else tells two requests of one moment apart
            <li key={`${at} ${index}`} className="flex flex-wrap items-center gap-x-3 gap-y-0.5 px-4 py-1.5">
              <Badge tone={status < 400 ? 'good' : 'danger'}>{status}</Badge>
              <span className="min-w-0 flex-1 basis-52 break-all font-mono text-xs">
                {method} {path}
              </span>
              {error ? <span className="text-[0.8125rem] text-danger-text">{error}</span> : null}
              <Time at={at} className="text-[0.8125rem] text-muted" />
            </li>
          ))}
        </ul>
      ) : requests.error ? (
        <ErrorState error={requests.error} what="the requests" onRetry={() => void requests.refetch()} />
      ) : (
        <SkeletonRegion label="Loading requests" className="flex flex-col gap-4 py-2">
          <Skeleton className="w-72 max-w-full" />
          <Skeleton className="w-64 max-w-full" />
        </SkeletonRegion>
      )}
    </Dialog>
  );
}
