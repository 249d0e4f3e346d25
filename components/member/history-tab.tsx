'use client';
import { useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/display/card.tsx';
import { Timeline } from '#components/ui/display/timeline.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { Skeleton, SkeletonRegion } from '#components/ui/feedback/skeleton.tsx';
import { useOnce } from '#components/ui/use-once.ts';
import { whilePending } from '#lib/client/api/pending.ts';
import type { Member } from '#lib/client/api/types.ts';
import { type MemberVersion, useAuthorNames, useMemberHistory } from '#lib/client/member/history.ts';
import { MemberVersionEntry } from './version-entry.tsx';

export type HistoryTabProps = {
  projectId: string;
  membershipId: string;
  /** As it is now; missing while it is removed. */
  member?: Member;
  policyNames: Map<string, string>;
  /** Missing where nothing may be restored. */
  onRestore?: (version: number) => Promise<void>;
};

/** Every version of a membership, newest first: what changed, by whom, and the way back to it. */
export function HistoryTab({ projectId, membershipId, onRestore, ...rest }: HistoryTabProps) {
  const history = useMemberHistory(projectId, membershipId);
  const authors = useAuthorNames(projectId, toAuthors(history.data ?? []));
  const { busy, once } = useOnce();
  const [pressed, setPressed] = useState<number>();
  const toId = (version: number) => `${membershipId}/${version}`;
  // One at a time: a restored version comes on top, and the next one's button moves under the pointer.
  const restore = (version: number) =>
    void once(async () => {
      setPressed(version);
      await whilePending(async () => onRestore?.(version), toId(version));
    });
  if (history.error && !history.data) {
    return (
      <Card>
        <ErrorState error={history.error} what="the history" onRetry={() => void history.refetch()} />
      </Card>
    );
  }
  if (!history.data) {
    return (
      <SkeletonRegion label="Loading the history" className="flex flex-col gap-5">
        {['w-3/5', 'w-2/5', 'w-1/2'].map((width) => (
          <Skeleton key={width} className={width} />
        ))}
      </SkeletonRegion>
    );
  }
  return (
    <>
      <Timeline label="Versions">
        {history.data.map((version, index) => (
          <MemberVersionEntry
            key={version.number}
            about={toId(version.number)}
            version={version}
            newest={index === 0}
            author={version.author && (authors.data?.get(version.author) ?? version.author)}
            restoring={busy ? pressed : undefined}
            onRestore={onRestore && restore}
            {...rest}
          />
        ))}
      </Timeline>
      {history.hasNextPage ? (
        <Button className="mt-4" busy={history.isFetchingNextPage} onClick={() => void history.fetchNextPage()}>
          Show older
        </Button>
      ) : null}
    </>
  );
}

function toAuthors(versions: readonly MemberVersion[]): string[] {
  return versions.flatMap(({ author }) => author ?? []);
}
