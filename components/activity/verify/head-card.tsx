'use client';
import { useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { Card } from '#components/ui/display/card.tsx';
import { sayFailure } from '#components/ui/feedback/say-failure.ts';
import { currentHead } from '#lib/client/activity/verify-log.ts';

/** The head of now, to be kept where whoever may change this server cannot. */
export function HeadCard({ projectId }: { projectId: string }) {
  const [head, setHead] = useState<string>();
  const [busy, setBusy] = useState(false);

  async function ask() {
    setBusy(true);
    try {
      setHead((await currentHead(projectId)) ?? '');
    } catch (error) {
      sayFailure(error as Error);
    } finally {
      setBusy(false);
    }
  }

  return (
    <Card className="flex flex-col gap-3 p-5">
      <h2 className="font-medium">Keep a head</h2>
      <p className="text-muted text-sm">
        A head says, signed, where the chain stands. Keep one elsewhere, in a mail or on another machine: it shows later
        that nothing before it was changed or taken out.
      </p>
      {head === undefined ? (
        <Button busy={busy} onClick={() => void ask()} className="self-start">
          Show the head of now
        </Button>
      ) : head === '' ? (
        <p role="status">Nothing is sealed yet: load this page again in a moment.</p>
      ) : (
        <div className="flex items-start gap-2">
          <code className="min-w-0 flex-1 break-all rounded-lg bg-hover p-3 font-mono text-xs">{head}</code>
          <CopyButton value={head} label="Copy the head" />
        </div>
      )}
    </Card>
  );
}
