'use client';
import type { UseQueryResult } from '@tanstack/react-query';
import { History } from 'lucide-react';
import dynamic from 'next/dynamic';
import { parseAsInteger, useQueryState } from 'nuqs';
import { useState } from 'react';
import { useUrlSheet } from '#components/frame/use-url-sheet.ts';
import { Button } from '#components/ui/button.tsx';
import { Badge } from '#components/ui/display/badge.tsx';
import { Card } from '#components/ui/display/card.tsx';
import { ListRow } from '#components/ui/display/list-row.tsx';
import { Time } from '#components/ui/display/time.tsx';
import { EmptyState } from '#components/ui/feedback/empty-state.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { sayFailure } from '#components/ui/feedback/say-failure.ts';
import { Skeleton, SkeletonRegion } from '#components/ui/feedback/skeleton.tsx';
import { toast } from '#components/ui/feedback/toast.tsx';
import { SheetLoading } from '#components/ui/overlay/loading.tsx';
import { useOnce } from '#components/ui/use-once.ts';
import { ApiError, type ApiIssue } from '#lib/client/api/api-error.ts';
import { toVersionId, useRollback } from '#lib/client/bots/source.ts';
import type { BotVersion, VersionSource, BotVersions as Versions } from '#lib/protocol/bots/bot-versions.ts';

const CompareSheet = dynamic(() => import('../life/compare-sheet.tsx').then((module) => module.CompareSheet), {
  ssr: false,
  loading: SheetLoading,
});
const VersionSheet = dynamic(() => import('./version-sheet.tsx').then((module) => module.VersionSheet), {
  ssr: false,
  loading: SheetLoading,
});

const DespiteSamples = dynamic(() => import('../life/despite-samples.tsx').then((module) => module.DespiteSamples), {
  ssr: false,
});

/** `over`: what was live when it was asked for. */
type Back = { number: number; over: number; note?: string };

export type BotVersionsProps = {
  projectId: string;
  botId: string;
  versions: UseQueryResult<Versions>;
  onEdit: (version: VersionSource) => void;
};

/** Every deploy, newest first. Going back makes a new version of an old one's code: nothing is ever rewritten. */
export function BotVersions({ projectId, botId, versions, onEdit }: BotVersionsProps) {
  const rollback = useRollback(projectId, botId);
  const [shown, setShown] = useQueryState('shown', parseAsInteger);
  const sheet = useUrlSheet<number>(setShown);
  const [compared, setCompared] = useState<number>();
  const { busy, once } = useOnce();
  const [refused, setRefused] = useState<Back & { issues: ApiIssue[] }>();
  const goBack = async (asked: Back & { force?: true }) => {
    const { number } = await rollback.mutateAsync(asked);
    setCompared(undefined);
    toast({ title: `Version ${asked.number} is live again, as version ${number}` });
  };
  // One at a time: the new version comes on top, and another one's button moves under the pointer.
  const back = (from: number, note?: string) =>
    once(async () => {
      const asked = { number: from, over: versions.data?.live ?? 0, ...(note && { note }) };
      try {
        await goBack(asked);
      } catch (error) {
        // Of samples alone a way back is refused with 422.
        if (error instanceof ApiError && error.status === 422) setRefused({ ...asked, issues: error.issues });
        else sayFailure(error as Error);
      }
    });
  const goBackAllTheSame = async ({ issues: _told, ...asked }: Back & { issues: ApiIssue[] }) => {
    try {
      await goBack({ ...asked, force: true });
    } catch (error) {
      // What it would have gone over is not live any more: it is asked about anew.
      if (!(error instanceof ApiError && error.status === 412)) throw error;
      sayFailure(error);
    }
  };
  if (versions.error && !versions.data) {
    return (
      <Card>
        <ErrorState error={versions.error} what="the versions of this bot" onRetry={() => void versions.refetch()} />
      </Card>
    );
  }
  if (!versions.data) return <Waiting />;
  if (versions.data.rows.length === 0) {
    return (
      <Card>
        <EmptyState icon={<History />} title="Nothing is deployed yet">
          Each deploy makes a version that never changes. You can go back to any of them.
        </EmptyState>
      </Card>
    );
  }
  return (
    <Card>
      <ol className="divide-y divide-line">
        {versions.data.rows.map((version) => (
          <Row
            key={version.number}
            botId={botId}
            version={version}
            busy={busy && rollback.variables?.number === version.number}
            idle={busy}
            onShow={() => sheet.open(version.number)}
            onBack={() => void back(version.number)}
            onCompare={() => setCompared(version.number)}
          />
        ))}
      </ol>
      {compared === undefined ? null : (
        <CompareSheet
          projectId={projectId}
          botId={botId}
          versions={versions.data.rows}
          from={compared}
          live={versions.data.live}
          busy={busy}
          onBack={(number, note) => void back(number, note)}
          onClose={() => setCompared(undefined)}
        />
      )}
      {refused === undefined ? null : (
        <DespiteSamples
          title={`Roll back to version ${refused.number}?`}
          confirm="Roll back all the same"
          issues={refused.issues}
          onConfirm={() => goBackAllTheSame(refused)}
          onClose={() => setRefused(undefined)}
        />
      )}
      {shown === null ? null : (
        <VersionSheet projectId={projectId} botId={botId} number={shown} onEdit={onEdit} onClose={sheet.close} />
      )}
    </Card>
  );
}

type RowProps = {
  botId: string;
  version: BotVersion;
  busy: boolean;
  idle: boolean;
  onShow: () => void;
  onBack: () => void;
  onCompare: () => void;
};

function Row({ botId, version, busy, idle, onShow, onBack, onCompare }: RowProps) {
  const { number, live, author, createdAt, bytes, note } = version;
  return (
    <ListRow
      about={toVersionId(botId, number)}
      className="flex min-h-14 flex-wrap items-center gap-x-4 gap-y-2 px-4 py-2"
    >
      <span className="w-24 font-medium tabular-nums">Version {number}</span>
      <span className="min-w-0 flex-1 text-muted">
        <Time at={createdAt} />
        {author ? ` by ${author.display ?? author.reference}` : ''}
        <span className="max-sm:hidden"> · {(bytes / 1024).toFixed(1)} KiB</span>
        {note ? <span className="block text-ink [overflow-wrap:anywhere]">{note}</span> : null}
      </span>
      {live ? (
        <Badge tone="accent" dot>
          Live
        </Badge>
      ) : (
        <Button size="sm" busy={busy} idle={idle} onClick={onBack}>
          Roll back to v{number}
        </Button>
      )}
      <Button size="sm" variant="ghost" aria-label={`Compare version ${number}`} onClick={onCompare}>
        Compare
      </Button>
      <Button size="sm" variant="ghost" aria-label={`View version ${number}`} onClick={onShow}>
        View
      </Button>
    </ListRow>
  );
}

function Waiting() {
  return (
    <Card>
      <SkeletonRegion label="Loading versions" className="divide-y divide-line">
        {[0, 1].map((row) => (
          <div key={row} className="flex h-14 items-center gap-4 px-4">
            <Skeleton className="w-20" />
            <Skeleton className="w-48" />
          </div>
        ))}
      </SkeletonRegion>
    </Card>
  );
}
