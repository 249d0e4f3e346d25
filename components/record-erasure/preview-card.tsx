'use client';
import Link from 'next/link';
import { useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/display/card.tsx';
import { Alert } from '#components/ui/feedback/alert.tsx';
import { toast } from '#components/ui/feedback/toast.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { ConfirmDialog } from '#components/ui/overlay/confirm-dialog.tsx';
import { useAskErasure } from '#lib/client/record-erasure/erasures.ts';
import type { ErasurePreview } from '#lib/protocol/record-erasure/answers.ts';
import { sumOf, TypeCountList } from './type-count-list.tsx';

type Props = { projectId: string; patientId: string; preview: ErasurePreview };

/** In numbers, before anything is asked. */
export function ErasurePreviewCard({ projectId, patientId, preview }: Props) {
  const { name, deleted, allowed, against, erased, kept, referring } = preview;
  const [reason, setReason] = useState('');
  const [asking, setAsking] = useState(false);
  const ask = useAskErasure(projectId, patientId);
  const word = name ?? patientId;
  const total = sumOf(erased);
  return (
    <Card className="flex flex-col gap-5 p-6">
      <div>
        <h2 className="break-words font-semibold text-[0.9375rem]">{name ?? 'A patient without a name'}</h2>
        <p className="mt-0.5 break-all text-[0.8125rem] text-muted">
          Patient/{patientId}
          {deleted ? ', deleted before: the versions of it are kept still' : ''}
        </p>
      </div>
      <TypeCountList title="Would be erased" counts={erased}>
        With all of their versions, and with what had been deleted before.
      </TypeCountList>
      <TypeCountList title="Kept" counts={kept}>
        They are about other patients too.
      </TypeCountList>
      <TypeCountList title="Refer to the patient, and stay as they are" counts={referring}>
        They are not of the record: look at them yourself.
      </TypeCountList>
      {allowed ? null : (
        <Alert>
          This project erases no records. It is turned on in the{' '}
          <Link href={`/p/${projectId}/settings#record-erasure`}>project settings</Link>.
        </Alert>
      )}
      {against.length > 0 ? (
        <Alert tone="warn" title="Not yet">
          {against.map((text) => (
            <p key={text}>{text}.</p>
          ))}
        </Alert>
      ) : null}
      {allowed && against.length === 0 ? (
        <form
          className="flex flex-col items-start gap-4"
          onSubmit={(event) => {
            event.preventDefault();
            setAsking(true);
          }}
        >
          <Field label="Why" description="Kept with the erasure and in the activity. Name nobody." className="w-full">
            <Input
              value={reason}
              required
              maxLength={500}
              autoComplete="off"
              onChange={(event) => setReason(event.target.value)}
            />
          </Field>
          <Button type="submit" variant="danger" disabled={reason.trim() === ''}>
            Erase the record…
          </Button>
        </form>
      ) : null}
      {asking ? (
        <ConfirmDialog
          danger
          title={`Erase the record of ${word}?`}
          confirm="Erase the record"
          typed={word}
          onConfirm={async () => {
            await ask.mutateAsync({ confirm: word, reason: reason.trim() });
            toast({ title: 'The record is being erased', description: 'How far it has come is shown below.' });
          }}
          onClose={() => setAsking(false)}
        >
          <p>
            {total === 1 ? 'One resource is' : `${total.toLocaleString('en')} resources are`}{' '}
            <strong>deleted for good, with every version</strong>. It begins at once and cannot be stopped. Nobody
            brings it back.
          </p>
        </ConfirmDialog>
      ) : null}
    </Card>
  );
}
