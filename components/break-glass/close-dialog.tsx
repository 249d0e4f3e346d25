'use client';
import { z } from 'zod';
import { FormProblemAlert } from '#components/door/form-problem.tsx';
import { useDoorForm } from '#components/door/use-door-form.ts';
import { Button } from '#components/ui/button.tsx';
import { toast } from '#components/ui/feedback/toast.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Form } from '#components/ui/form/form.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { SubmitButton } from '#components/ui/form/submit-button.tsx';
import { Dialog } from '#components/ui/overlay/dialog.tsx';
import { useHold } from '#lib/client/api/use-draft.ts';
import { useGrantAct } from '#lib/client/break-glass/grants.ts';

const schema = z.object({ note: z.string().trim().min(1, 'Say what you found').max(500, 'At most 500 characters') });
type Values = z.output<typeof schema>;

export type CloseDialogProps = { projectId: string; grantId: string; onClose: () => void };

/** What an administrator found who has looked at it. */
export function CloseDialog({ projectId, grantId, onClose }: CloseDialogProps) {
  const act = useGrantAct(projectId, grantId);
  const { form, onSubmit, problem, errorOf, busy } = useDoorForm<Values>(
    schema,
    ['note'],
    async (body) => {
      await act.mutateAsync({ act: 'close', body });
      toast({ title: 'The review is closed' });
      onClose();
    },
    { defaultValues: { note: '' } },
  );
  useHold(form.formState.isDirty);
  return (
    <Dialog open onOpenChange={(open) => open || onClose()} title="Close the review" className="max-w-lg" keep>
      <Form busy={busy} onSubmit={onSubmit} className="flex flex-col gap-4 pt-1">
        <FormProblemAlert problem={problem} />
        <Field
          label="What you found"
          error={errorOf('note')}
          description="Administrators read it. Look at what was done first: a review is not opened again."
        >
          <Input {...form.register('note')} maxLength={500} autoComplete="off" />
        </Field>
        <div className="flex flex-wrap justify-end gap-2 pt-1">
          <Button onClick={onClose}>Cancel</Button>
          <SubmitButton busy={busy}>Close the review</SubmitButton>
        </div>
      </Form>
    </Dialog>
  );
}
