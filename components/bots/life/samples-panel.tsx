'use client';
import { FlaskConical, Play, Plus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/display/card.tsx';
import { ListRow } from '#components/ui/display/list-row.tsx';
import { Time } from '#components/ui/display/time.tsx';
import { EmptyState } from '#components/ui/feedback/empty-state.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { sayFailure } from '#components/ui/feedback/say-failure.ts';
import { Skeleton, SkeletonRegion } from '#components/ui/feedback/skeleton.tsx';
import { toast } from '#components/ui/feedback/toast.tsx';
import { ConfirmDialog } from '#components/ui/overlay/confirm-dialog.tsx';
import { type Files, isSame } from '#lib/client/bots/files/program.ts';
import { useCheck } from '#lib/client/bots/release.ts';
import { toSampleId, useDeleteSample, useSamples } from '#lib/client/bots/samples.ts';
import type { Checked, Expectation, Sample } from '#lib/protocol/bots/samples.ts';
import type { BotEditor } from '../code/use-bot-editor.ts';
import type { BotRunner } from '../runs/use-bot-runner.ts';
import { EditSample } from './edit-sample.tsx';
import { KeepSample, toInput } from './keep-sample.tsx';
import { SampleResults } from './sample-results.tsx';

export type SamplesPanelProps = { projectId: string; botId: string; editor: BotEditor; runner: BotRunner };

/** What each deploy is tried with: kept from what one runs, tried with the code in the editor. */
export function SamplesPanel({ projectId, botId, editor, runner }: SamplesPanelProps) {
  const samples = useSamples(projectId, botId);
  const check = useCheck(projectId, botId);
  const remove = useDeleteSample(projectId, botId);
  /** What the result is about: of another text, or other samples, it says nothing. */
  const [tried, setTried] = useState<{ files: Files; rows: readonly Sample[] }>();
  const [keeping, setKeeping] = useState(false);
  const [editing, setEditing] = useState<Sample>();
  const [removing, setRemoving] = useState<Sample>();
  if (samples.error && !samples.data)
    return (
      <Card>
        <ErrorState error={samples.error} what="the samples of this bot" onRetry={() => void samples.refetch()} />
      </Card>
    );
  if (!samples.data)
    return (
      <Card>
        <SkeletonRegion label="Loading samples" className="flex flex-col gap-4 p-4">
          <Skeleton className="w-52" />
          <Skeleton className="w-40" />
        </SkeletonRegion>
      </Card>
    );
  const { rows } = samples.data;
  const tryAll = () => {
    setTried({ files: editor.files, rows });
    void check.mutateAsync(editor.program).catch((error) => sayFailure(error));
  };
  return (
    <Card>
      <div className="flex flex-wrap items-center gap-3 border-line border-b px-4 py-3">
        <p className="min-w-0 flex-1 text-muted">
          Each deploy is tried with these first, and nothing of that stays. They are data of patients.
        </p>
        <Button size="sm" busy={check.isPending} disabled={rows.length === 0 || !editor.ready} onClick={tryAll}>
          <Play aria-hidden="true" />
          Try the code
        </Button>
        <Button size="sm" onClick={() => setKeeping(true)}>
          <Plus aria-hidden="true" />
          Keep a sample
        </Button>
      </div>
      {rows.length === 0 ? (
        <EmptyState icon={<FlaskConical />} title="No samples" className="py-8">
          Run the bot with an input, then keep that input and what came out as a sample.
        </EmptyState>
      ) : (
        <ul aria-label="Samples of this bot" className="divide-y divide-line">
          {rows.map((sample) => (
            <ListRow
              key={sample.id}
              about={toSampleId(sample.id)}
              className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1 py-1.5 pr-2 pl-4"
            >
              <span className="min-w-0 flex-1">
                <span className="font-medium">{sample.name}</span>
                <span className="block text-muted text-xs">
                  {toWords(sample.expects)} · <Time at={sample.updatedAt} />
                </span>
              </span>
              <Button size="sm" variant="ghost" aria-label={`Edit ${sample.name}`} onClick={() => setEditing(sample)}>
                Edit
              </Button>
              <Button
                size="sm"
                variant="ghost"
                aria-label={`Delete ${sample.name}`}
                onClick={() => setRemoving(sample)}
              >
                Delete
              </Button>
            </ListRow>
          ))}
        </ul>
      )}
      {check.data && tried?.rows === rows ? (
        <TriedCode isEarlier={!isSame(tried.files, editor.files)} results={check.data.samples} />
      ) : null}
      {keeping ? (
        <KeepSample
          projectId={projectId}
          botId={botId}
          input={toInput(botId, runner)}
          from="What stands in Input"
          onClose={() => setKeeping(false)}
        />
      ) : null}
      {editing ? (
        <EditSample projectId={projectId} botId={botId} sample={editing} onClose={() => setEditing(undefined)} />
      ) : null}
      {removing ? (
        <ConfirmDialog
          title={`Delete ${removing.name}?`}
          confirm="Delete the sample"
          danger
          onClose={() => setRemoving(undefined)}
          onConfirm={async () => {
            await remove.mutateAsync(removing.id);
            toast({ title: 'The sample is deleted' });
          }}
        >
          <p>
            Deploys are <strong>no longer tried</strong> with it. This cannot be taken back.
          </p>
        </ConfirmDialog>
      ) : null}
    </Card>
  );
}

function TriedCode({ isEarlier, results }: { isEarlier: boolean; results: Checked['samples'] }) {
  return (
    <section aria-label="How the code did" className="border-line border-t p-4">
      <h3 className="mb-2 font-medium">{isEarlier ? 'An earlier text: try again' : 'The code in the editor'}</h3>
      <SampleResults results={results} />
    </section>
  );
}

function toWords({ ok, output, writes }: Expectation): string {
  const parts = [
    ok ? 'ends well' : 'fails',
    ...(output ? ['with this output'] : []),
    ...(writes ? [writes.length === 1 ? 'one change' : `${writes.length} changes`] : []),
  ];
  return `Expected: ${parts.join(', ')}`;
}
