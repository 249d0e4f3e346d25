'use client';
import { useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Badge } from '#components/ui/display/badge.tsx';
import { Time } from '#components/ui/display/time.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { Skeleton, SkeletonRegion } from '#components/ui/feedback/skeleton.tsx';
import { FilterSelect } from '#components/ui/form/filter-select.tsx';
import { Dialog } from '#components/ui/overlay/dialog.tsx';
import { useClientRequests } from '#lib/client/clients/client.ts';
import type { ClientRequestRow, ClientRow } from '#lib/protocol/answers/clients.ts';

export type RequestsDialogProps = { projectId: string; client: ClientRow; onClose: () => void };

const SHOWN = [
  { value: 'all', label: 'All requests' },
  { value: 'failed', label: 'Only failed' },
] as const;

/** What a client asked last: by which route, never for whom. */
export function RequestsDialog({ projectId, client, onClose }: RequestsDialogProps) {
  const [shown, show] = useState<'all' | 'failed'>('all');
  const requests = useClientRequests(projectId, client.id, shown === 'failed');
  const { data } = requests;
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={`Requests of ${client.name || 'this client'}`}
      description="The last hundred that were answered, and the last hundred that failed, without what they asked for."
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
      <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
        <p role="status" className="text-muted">
          {data ? `${data.total} in all, ${data.failed} failed` : 'Loading'}
        </p>
        <FilterSelect aria-label="Which requests" value={shown} onValueChange={show} options={SHOWN} className="w-40" />
      </div>
      {data?.rows.length === 0 ? (
        <p className="py-2 text-muted">{shown === 'failed' ? 'None has failed.' : 'None yet.'}</p>
      ) : data ? (
        <ul aria-label="Requests" className="divide-y divide-line rounded-lg border border-line">
          {data.rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: nothing else tells two requests of one moment apart
            <Row key={`${row.at} ${index}`} row={row} />
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

function Row({ row: { at, method, route, status, remoteAddress } }: { row: ClientRequestRow }) {
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-0.5 px-4 py-1.5">
      <Badge tone={status < 400 ? 'good' : 'danger'}>{status}</Badge>
      <span className="min-w-0 flex-1 basis-52 break-all font-mono text-xs">
        {method} {route}
      </span>
      <span className="text-[0.8125rem] text-muted">{remoteAddress}</span>
      <Time at={at} className="text-[0.8125rem] text-muted" />
    </li>
  );
}
