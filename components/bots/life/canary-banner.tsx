'use client';
import { Button } from '#components/ui/button.tsx';
import { Alert } from '#components/ui/feedback/alert.tsx';
import { sayFailure } from '#components/ui/feedback/say-failure.ts';
import { toast } from '#components/ui/feedback/toast.tsx';
import { useOnce } from '#components/ui/use-once.ts';
import { useCanary, useEndCanary } from '#lib/client/bots/release.ts';
import type { Canary, Tally } from '#lib/protocol/bots/canary.ts';

/** A version that is tried on a share of the runs, or was taken back by itself: what it came to, and what can be done. */
export function CanaryBanner({ projectId, botId }: { projectId: string; botId: string }) {
  const canary = useCanary(projectId, botId).data?.canary;
  const end = useEndCanary(projectId, botId);
  const { busy, once } = useOnce();
  if (!canary || (canary.state !== 'running' && canary.state !== 'reverted')) return null;
  const finish = (how: 'promote' | 'withdraw') =>
    once(async () => {
      try {
        await end.mutateAsync(how);
        toast({
          title: how === 'promote' ? `Version ${canary.version} is live` : `Version ${canary.version} is withdrawn`,
        });
      } catch (error) {
        sayFailure(error as Error);
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
          busy={busy && end.variables === 'promote'}
          disabled={busy}
          onClick={() => void finish('promote')}
        >
          Make version {canary.version} live
        </Button>
        <Button
          size="sm"
          busy={busy && end.variables === 'withdraw'}
          disabled={busy}
          onClick={() => void finish('withdraw')}
        >
          Withdraw it
        </Button>
      </span>
    </Alert>
  );
}

function toFigures({ version, figures: { canary, live } }: Canary): string {
  return `Version ${version}: ${toShare(canary)}. What is live: ${toShare(live)}.`;
}

function toShare({ runs, failed }: Tally): string {
  return `${failed} of ${runs === 1 ? '1 run' : `${runs} runs`} failed`;
}
