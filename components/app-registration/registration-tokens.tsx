'use client';
import { useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Badge } from '#components/ui/display/badge.tsx';
import { ListRow } from '#components/ui/display/list-row.tsx';
import { Time } from '#components/ui/display/time.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { Skeleton, SkeletonRegion } from '#components/ui/feedback/skeleton.tsx';
import { toast } from '#components/ui/feedback/toast.tsx';
import { ConfirmDialog } from '#components/ui/overlay/confirm-dialog.tsx';
import { useRegistrationTokens, useRevokeRegistrationToken } from '#lib/client/app-registration/tokens.ts';
import type { RegistrationTokenRow } from '#lib/protocol/answers/clients.ts';

export function RegistrationTokens({ projectId }: { projectId: string }) {
  const tokens = useRegistrationTokens(projectId);
  const revoke = useRevokeRegistrationToken(projectId);
  const [ending, end] = useState<RegistrationTokenRow>();
  const rows = tokens.data;
  return (
    <div className="mt-4">
      {rows?.length === 0 ? (
        <p className="text-muted">There is no token: no app can register.</p>
      ) : rows ? (
        <ul aria-label="Registration tokens" className="divide-y divide-line rounded-lg border border-line">
          {rows.map((row) => (
            <ListRow
              key={row.id}
              about={row.id}
              className="flex flex-wrap items-center gap-x-3 gap-y-1 py-1.5 pr-2 pl-4"
            >
              <div className="min-w-0 flex-1 basis-52">
                <p className="flex items-center gap-2">
                  <span className="truncate font-medium">{row.name}</span>
                  <span className="font-mono text-muted text-xs">…{row.hint}</span>
                  {isOver(row) ? <Badge>Over</Badge> : null}
                </p>
                <p className="text-[0.8125rem] text-muted">
                  {row.used} of {row.most} {row.most === 1 ? 'app' : 'apps'} · ends <Time at={row.expiresAt} /> · made
                  by {row.createdBy}
                </p>
              </div>
              <Button size="sm" variant="ghost" aria-label={`Take back ${row.name}`} onClick={() => end(row)}>
                Take back
              </Button>
            </ListRow>
          ))}
        </ul>
      ) : tokens.error ? (
        <ErrorState error={tokens.error} what="the tokens" onRetry={() => void tokens.refetch()} />
      ) : (
        <SkeletonRegion label="Loading tokens" className="flex flex-col gap-4">
          <Skeleton className="w-48" />
        </SkeletonRegion>
      )}
      {ending ? (
        <ConfirmDialog
          title={`Take back the token ${ending.name}?`}
          confirm="Take back the token"
          danger
          onClose={() => end(undefined)}
          onConfirm={async () => {
            await revoke.mutateAsync({ id: ending.id });
            toast({ title: `The token ${ending.name} works no longer` });
          }}
        >
          <p>
            No app registers with it <strong>from now on</strong>. Those that have stay, among the clients.
          </p>
        </ConfirmDialog>
      ) : null}
    </div>
  );
}

function isOver({ expiresAt, used, most }: RegistrationTokenRow): boolean {
  return used >= most || Date.parse(expiresAt) <= Date.now();
}
