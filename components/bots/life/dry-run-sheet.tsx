'use client';
import { useEffect, useRef } from 'react';
import { Button } from '#components/ui/button.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { Skeleton, SkeletonRegion } from '#components/ui/feedback/skeleton.tsx';
import { Sheet } from '#components/ui/overlay/sheet.tsx';
import { useDryRun } from '#lib/client/bots/samples.ts';
import { readStubs } from '#lib/client/bots/stubs.ts';
import type { BotEditor } from '../code/use-bot-editor.ts';
import type { BotRunner } from '../runs/use-bot-runner.ts';
import { DryRunResult } from './dry-run-result.tsx';
import { toInput } from './keep-sample.tsx';
import { StubsField } from './stubs-field.tsx';

export type DryRunSheetProps = {
  projectId: string;
  botId: string;
  editor: BotEditor;
  runner: BotRunner;
  /** Answers of other servers, as they are typed. */
  stubs: string;
  onStubsChange: (stubs: string) => void;
  onClose: () => void;
};

/** The code in the editor with the input at hand: what it would do, and nothing of it done. */
export function DryRunSheet({
  projectId,
  botId,
  editor,
  runner,
  stubs: text,
  onStubsChange,
  onClose,
}: DryRunSheetProps) {
  const { data, error, isPending, mutate } = useDryRun(projectId, botId);
  const { stubs, fault } = readStubs(text);
  const run = () => mutate({ ...editor.program, input: toInput(botId, runner), stubs });
  const begin = useRef(run);
  useEffect(() => begin.current(), []);
  return (
    <Sheet
      open
      onOpenChange={(open) => open || onClose()}
      title="Dry run of the code in the editor"
      className="max-w-2xl"
      footer={
        <Button busy={isPending} disabled={fault !== undefined} onClick={run}>
          Run it dry again
        </Button>
      }
    >
      <div className="flex flex-col gap-5 px-6 py-5">
        <StubsField value={text} onValueChange={onStubsChange} />
        {error ? (
          <ErrorState error={error} what="the dry run" onRetry={run} />
        ) : data ? (
          <DryRunResult run={data} />
        ) : (
          <SkeletonRegion label="Running it dry" className="flex flex-col gap-4">
            <Skeleton className="w-32" />
            <Skeleton className="h-24 w-full" />
          </SkeletonRegion>
        )}
      </div>
    </Sheet>
  );
}
