'use client';
import { SettingsCard } from '#components/settings/settings-card.tsx';
import { Button } from '#components/ui/button.tsx';
import { Badge } from '#components/ui/display/badge.tsx';
import { Time } from '#components/ui/display/time.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { Skeleton, SkeletonRegion } from '#components/ui/feedback/skeleton.tsx';
import { useOwnGrants } from '#lib/client/break-glass/own-glass.ts';
import type { OwnGrant } from '#lib/protocol/break-glass/answers.ts';
import { STATES, toEnd } from './facts.ts';
import { GlassButton } from './glass-button.tsx';

/** When one had emergency access in this project, and why. */
export function OwnGrantsCard() {
  const grants = useOwnGrants();
  const rows = grants.data?.pages.flatMap((page) => page.rows);
  return (
    <SettingsCard
      id="emergency-access"
      title="Emergency access"
      description="More than your policies give you, for minutes. Administrators are told at once, and review it."
      action={<GlassButton />}
    >
      {rows ? (
        rows.length === 0 ? (
          <p className="text-muted">You have not taken it yet.</p>
        ) : (
          <ul aria-label="Emergency access that you took" className="divide-y divide-line">
            {rows.map((row) => (
              <OwnRow key={row.id} row={row} />
            ))}
          </ul>
        )
      ) : grants.error ? (
        <ErrorState error={grants.error} what="your emergency access" onRetry={() => void grants.refetch()} />
      ) : (
        <SkeletonRegion label="Loading your emergency access" className="flex flex-col gap-3">
          <Skeleton className="w-2/3" />
        </SkeletonRegion>
      )}
      {grants.hasNextPage ? (
        <Button size="sm" className="mt-3" busy={grants.isFetchingNextPage} onClick={() => void grants.fetchNextPage()}>
          Show earlier ones
        </Button>
      ) : null}
    </SettingsCard>
  );
}

function OwnRow({ row }: { row: OwnGrant }) {
  const { state, reason, openedAt, endedAt } = row;
  return (
    <li className="py-3 first:pt-0 last:pb-0">
      <p className="flex flex-wrap items-center gap-2">
        <Badge tone={STATES[state].tone} dot>
          {STATES[state].label}
        </Badge>
        <span className="text-[0.8125rem] text-muted">
          Taken <Time at={openedAt} />
          {endedAt ? `, ended ${toEnd({ ...row, endedByWhom: null })}` : ''}
        </span>
      </p>
      {reason ? (
        <p dir="auto" className="mt-1 break-words text-[0.8125rem]">
          {reason}
        </p>
      ) : null}
    </li>
  );
}
