'use client';
import { Eraser } from 'lucide-react';
import Link from 'next/link';
import { parseAsString, useQueryState } from 'nuqs';
import { type FormEvent, useEffect, useId, useState } from 'react';
import { setBreadcrumbLeaf } from '#components/frame/breadcrumb.tsx';
import { PageHeading } from '#components/frame/page-heading.tsx';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/display/card.tsx';
import { Alert } from '#components/ui/feedback/alert.tsx';
import { EmptyState } from '#components/ui/feedback/empty-state.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { Skeleton, SkeletonRegion } from '#components/ui/feedback/skeleton.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { useErasurePreview, useErasures } from '#lib/client/record-erasure/erasures.ts';
import { ErasureList } from './erasure-list.tsx';
import { ErasurePreviewCard } from './preview-card.tsx';

/** What an erasure of a patient's record would take, and those that were asked for. Whose is in the URL. */
export function EraseRecord({ projectId }: { projectId: string }) {
  const [patient, ask] = useQueryState('patient', parseAsString.withDefault('').withOptions({ history: 'push' }));
  const preview = useErasurePreview(projectId, patient);
  const erasures = useErasures(projectId);
  useEffect(() => {
    setBreadcrumbLeaf('Erase a record');
    return () => setBreadcrumbLeaf(undefined);
  }, []);
  const isKnown = !preview.isLoading && !erasures.isPending;
  const isAsked = erasures.data?.some((erasure) => erasure.patient === `Patient/${patient}`);
  return (
    <div className="flex max-w-3xl flex-col gap-5">
      <PageHeading
        title="Erase a record"
        actions={
          <Link href={`/p/${projectId}/settings`} className="text-accent-text text-sm underline underline-offset-3">
            Back to the settings
          </Link>
        }
      >
        All that is kept of a patient and of nobody else, with every version, for good.
      </PageHeading>
      <Alert tone="warn" title="The law often forbids it">
        Records of treatment are to be kept for years, also against the wish of the patient. Who erases one too early
        answers for it: ask before, and say below why it may be.
      </Alert>
      <Question patient={patient} busy={preview.isLoading} ask={(id) => void ask(id)} />
      {isAsked ? null : !isKnown ? (
        <Card className="p-6">
          <SkeletonRegion label="Counting what would be erased">
            <Skeleton className="w-1/2" />
          </SkeletonRegion>
        </Card>
      ) : preview.error ? (
        <Card>
          <ErrorState error={preview.error} what="this patient" onRetry={() => void preview.refetch()} />
        </Card>
      ) : patient === '' ? (
        <Card>
          <EmptyState icon={<Eraser />} title="Name a patient">
            By their id: it stands in the address of the Patient. Nothing is erased by looking.
          </EmptyState>
        </Card>
      ) : preview.data ? (
        <ErasurePreviewCard key={patient} projectId={projectId} patientId={patient} preview={preview.data} />
      ) : null}
      {isKnown ? <ErasureList rows={erasures.data ?? []} /> : null}
    </div>
  );
}

function Question({ patient, busy, ask }: { patient: string; busy: boolean; ask: (id: string) => void }) {
  const [typed, setTyped] = useState(patient);
  const id = useId();
  // Back and forward change the question, too.
  useEffect(() => setTyped(patient), [patient]);

  function submit(event: FormEvent) {
    event.preventDefault();
    ask(typed.trim().replace(/^Patient\//, ''));
  }

  return (
    <form onSubmit={submit} className="flex flex-wrap items-end gap-3">
      <div className="flex min-w-0 flex-1 basis-60 flex-col gap-1.5">
        <label htmlFor={id} className="font-medium text-sm">
          Patient
        </label>
        <Input
          id={id}
          value={typed}
          required
          placeholder="Patient/…"
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => setTyped(event.target.value)}
        />
      </div>
      <Button type="submit" busy={busy}>
        Look what it would take
      </Button>
    </form>
  );
}
