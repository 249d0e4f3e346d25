'use client';
import { useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Badge } from '#components/ui/display/badge.tsx';
import { Card } from '#components/ui/display/card.tsx';
import { Time } from '#components/ui/display/time.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { sayFailure } from '#components/ui/feedback/say-failure.ts';
import { Skeleton, SkeletonRegion } from '#components/ui/feedback/skeleton.tsx';
import { toast } from '#components/ui/feedback/toast.tsx';
import { useOnce } from '#components/ui/use-once.ts';
import type { ApiIssue } from '#lib/client/api/api-error.ts';
import { usePolicyHistory } from '#lib/client/policies/editing.ts';
import { type StoredPolicy, useSavePolicy } from '#lib/client/policies/policies.ts';
import { ANYWAY, brokenTests } from '#lib/client/policies/policy-tests.ts';
import { parse, toText } from '#lib/client/policies/policy-text.ts';
import { sayPolicy } from '#lib/protocol/access-policies/say-policy.ts';
import type { AccessPolicy } from '#lib/protocol/fhir/types.ts';
import { BrokenTests } from '../tests/broken-tests.tsx';
import { ChangeSheet } from './change-sheet.tsx';

/** Every version, newest first. Going back makes a new version of an old one: nothing is ever rewritten. */
export function PolicyHistory({ projectId, stored }: { projectId: string; stored: StoredPolicy }) {
  const history = usePolicyHistory(projectId, stored.id);
  const save = useSavePolicy(projectId);
  const [shown, setShown] = useState<number>();
  const [broken, setBroken] = useState<{ issues: readonly ApiIssue[]; version: StoredPolicy }>();
  const { busy, once } = useOnce();
  const versions = history.data;
  if (!versions) {
    return (
      <Card>
        {history.error ? (
          <ErrorState error={history.error} what="the history of this policy" onRetry={() => void history.refetch()} />
        ) : (
          <SkeletonRegion label="Loading the history" className="flex flex-col gap-5 p-5">
            <Skeleton className="w-64" />
            <Skeleton className="w-52" />
          </SkeletonRegion>
        )}
      </Card>
    );
  }
  const restore = (version: StoredPolicy, headers?: Record<string, string>) =>
    once(async () => {
      try {
        const policy = { ...(parse(toText(version)) as AccessPolicy), id: stored.id };
        await save.mutateAsync({ policy, ifMatch: stored.meta?.versionId, headers });
        setBroken(undefined);
        toast({ title: `Version ${version.meta?.versionId} is restored, as a new one` });
      } catch (error) {
        const issues = brokenTests(error);
        if (issues) setBroken({ issues, version });
        else sayFailure(error as Error);
      }
    });
  return (
    <Card>
      <ol aria-label="Versions" className="divide-y divide-line">
        {versions.map((version, at) => {
          const number = version.meta?.versionId;
          const isCurrent = number === stored.meta?.versionId;
          return (
            <li key={number} className="flex min-h-14 flex-wrap items-center gap-x-4 gap-y-2 px-4 py-2">
              <span className="w-24 font-medium tabular-nums">Version {number}</span>
              <span className="min-w-0 flex-1 text-muted max-sm:basis-full">
                {version.meta?.lastUpdated ? <Time at={version.meta.lastUpdated} /> : null}
                <span className="block [overflow-wrap:anywhere]">{sayPolicy(version)}</span>
              </span>
              {isCurrent ? (
                <Badge tone="accent" dot>
                  In force
                </Badge>
              ) : (
                <Button size="sm" className="tabular-nums" disabled={busy} onClick={() => void restore(version)}>
                  Restore version {number}
                </Button>
              )}
              <Button size="sm" variant="ghost" className="tabular-nums" onClick={() => setShown(at)}>
                Changes in version {number}
              </Button>
            </li>
          );
        })}
      </ol>
      {shown !== undefined && versions[shown] ? (
        <ChangeSheet version={versions[shown]} before={versions[shown + 1]} onClose={() => setShown(undefined)} />
      ) : null}
      {broken ? (
        <BrokenTests
          issues={broken.issues}
          busy={busy}
          label="Restore all the same"
          onAnyway={() => void restore(broken.version, ANYWAY)}
          onClose={() => setBroken(undefined)}
        />
      ) : null}
    </Card>
  );
}
