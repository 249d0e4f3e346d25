'use client';
import dynamic from 'next/dynamic';
import { useEffect, useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Alert } from '#components/ui/feedback/alert.tsx';
import { sayFailure } from '#components/ui/feedback/say-failure.ts';
import { toast } from '#components/ui/feedback/toast.tsx';
import { rescueFocus } from '#components/ui/overlay/rescue-focus.ts';
import { useOnce } from '#components/ui/use-once.ts';
import { ApiError, type ApiIssue } from '#lib/client/api/api-error.ts';
import { useCanary, useEndCanary } from '#lib/client/bots/release.ts';
import type { Canary, Tally } from '#lib/protocol/bots/canary.ts';

const DespiteSamples = dynamic(() => import('./despite-samples.tsx').then((module) => module.DespiteSamples), {
  ssr: false,
});

/** `liveSince`: when what is live was made; undefined while that is not known. */
type CanaryBannerProps = { projectId: string; botId: string; liveSince: string | undefined };

/** A version that is tried on a share of the runs, or was taken back by itself and nothing went live since: what it came to, and what can be done. */
export function CanaryBanner({ projectId, botId, liveSince }: CanaryBannerProps) {
  const canary = useCanary(projectId, botId).data?.canary;
  const end = useEndCanary(projectId, botId);
  const { busy, once } = useOnce();
  const [refused, setRefused] = useState<ApiIssue[]>();
  const isTried = canary?.state === 'running';
  useEffect(() => {
    // What ends it goes with it.
    if (isTried) return () => rescueFocus();
  }, [isTried]);
  if (!canary || !(isTried || isNews(canary, liveSince))) return null;
  const endIt = async (how: 'promote' | 'promote all the same' | 'withdraw') => {
    await end.mutateAsync({ how, version: canary.version });
    toast({ title: `Version ${canary.version} is ${how === 'withdraw' ? 'withdrawn' : 'live'}` });
  };
  const finish = (how: 'promote' | 'withdraw') =>
    once(async () => {
      try {
        await endIt(how);
      } catch (error) {
        if (how === 'promote' && error instanceof ApiError && error.status === 422) setRefused(error.issues);
        else sayFailure(error as Error);
      }
    });
  if (canary.state === 'reverted')
    return (
      <Alert tone="warn" className="mb-4" title={`Version ${canary.version} failed more, and was taken back by itself`}>
        <p>{toFigures(canary)} All runs are on the live version.</p>
      </Alert>
    );
  return (
    <Alert tone="info" className="mb-4" title={`Version ${canary.version} is tried on ${canary.share} % of the runs`}>
      <p>{toFigures(canary)}</p>
      <span className="mt-2 flex flex-wrap gap-2">
        <Button
          size="sm"
          variant="primary"
          busy={busy && end.variables?.how === 'promote'}
          idle={busy}
          onClick={() => void finish('promote')}
        >
          Make version {canary.version} live
        </Button>
        <Button
          size="sm"
          busy={busy && end.variables?.how === 'withdraw'}
          idle={busy}
          onClick={() => void finish('withdraw')}
        >
          Withdraw it
        </Button>
      </span>
      {refused === undefined ? null : (
        <DespiteSamples
          title={`Make version ${canary.version} live?`}
          confirm="Make it live all the same"
          issues={refused}
          onConfirm={() => endIt('promote all the same')}
          onClose={() => setRefused(undefined)}
        />
      )}
    </Alert>
  );
}

/** It was taken back by itself, and nothing was made live since. */
function isNews({ state, endedAt }: Canary, liveSince: string | undefined): boolean {
  return state === 'reverted' && endedAt !== null && liveSince !== undefined && liveSince < endedAt;
}

function toFigures({ version, figures: { canary, live } }: Canary): string {
  return `Version ${version}: ${toShare(canary)}. What is live: ${toShare(live)}.`;
}

function toShare({ runs, failed }: Tally): string {
  return `${failed} of ${runs === 1 ? '1 run' : `${runs} runs`} failed`;
}
