'use client';
import { useState } from 'react';
import { toast } from '#components/ui/feedback/toast.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { ConfirmDialog } from '#components/ui/overlay/confirm-dialog.tsx';
import { useSaveSample } from '#lib/client/bots/samples.ts';
import type { Sample } from '#lib/protocol/bots/samples.ts';

export type RenameSampleProps = { projectId: string; botId: string; sample: Sample; onClose: () => void };

/** Another name; what it is and expects stays. */
export function RenameSample({ projectId, botId, sample, onClose }: RenameSampleProps) {
  const save = useSaveSample(projectId, botId);
  const { id, input, expects, stubs } = sample;
  const [name, setName] = useState(sample.name);
  return (
    <ConfirmDialog
      title="Rename the sample"
      confirm="Rename"
      onConfirm={async () => {
        await save.mutateAsync({ id, sample: { name: name.trim(), input, expects, ...(stubs && { stubs }) } });
        toast({ title: 'The sample is renamed' });
      }}
      onClose={onClose}
    >
      <Field label="Name">
        <Input value={name} onChange={(event) => setName(event.target.value)} maxLength={128} autoComplete="off" />
      </Field>
    </ConfirmDialog>
  );
}
