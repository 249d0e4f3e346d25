'use client';
import { useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Alert } from '#components/ui/feedback/alert.tsx';
import { toast } from '#components/ui/feedback/toast.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Form } from '#components/ui/form/form.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { SubmitButton } from '#components/ui/form/submit-button.tsx';
import { Dialog } from '#components/ui/overlay/dialog.tsx';
import { useSaveSample } from '#lib/client/bots/samples.ts';
import { readStubs } from '#lib/client/bots/stubs.ts';
import type { Sample } from '#lib/protocol/bots/samples.ts';
import { StubsField } from './stubs-field.tsx';

export type EditSampleProps = { projectId: string; botId: string; sample: Sample; onClose: () => void };

/** Another name, and other answers of other servers; what goes in and what is expected stay. */
export function EditSample({ projectId, botId, sample, onClose }: EditSampleProps) {
  const save = useSaveSample(projectId, botId);
  const { id, input, expects } = sample;
  const [over] = useState(sample.updatedAt);
  const [name, setName] = useState(sample.name);
  const [text, setText] = useState(sample.stubs ? JSON.stringify(sample.stubs, null, 2) : '');
  const { stubs, fault } = readStubs(text);
  return (
    <Dialog
      open
      keep
      onOpenChange={(open) => open || onClose()}
      className="max-w-2xl"
      title="Edit the sample"
      description="What goes in and what is expected stay: keep another sample for another input."
    >
      <Form
        busy={save.isPending}
        className="flex flex-col gap-4 pt-1"
        onSubmit={(event) => {
          event.preventDefault();
          if (fault) return;
          save.mutate(
            { id, sample: { name: name.trim(), input, expects, ...(stubs && { stubs }), over } },
            {
              onSuccess: () => {
                toast({ title: 'The sample is saved' });
                onClose();
              },
            },
          );
        }}
      >
        {save.error ? <Alert tone="danger">{save.error.message}</Alert> : null}
        <Field label="Name" description="What it is about, without who it is of.">
          <Input value={name} onChange={(event) => setName(event.target.value)} maxLength={128} autoComplete="off" />
        </Field>
        <StubsField value={text} onValueChange={setText} />
        <div className="flex justify-end gap-2 pt-1">
          <Button onClick={onClose}>Cancel</Button>
          <SubmitButton busy={save.isPending}>Save the sample</SubmitButton>
        </div>
      </Form>
    </Dialog>
  );
}
