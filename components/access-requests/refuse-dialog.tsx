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
import { useDecideRequest } from '#lib/client/access-requests/requests.ts';
import { useHold } from '#lib/client/api/use-draft.ts';
import type { AccessRequest } from '#lib/protocol/access-requests/answers.ts';
import { toName } from './facts.ts';

const schema = z.object({ answer: z.string().trim().min(1, 'Say why').max(500, 'At most 500 characters') });
type Values = z.output<typeof schema>;

export type DecideProps = { projectId: string; request: AccessRequest; onClose: () => void };

/** Why somebody does not get what they asked for. */
export function RefuseDialog({ projectId, request, onClose }: DecideProps) {
  const decide = useDecideRequest(projectId, request.id);
  const { form, onSubmit, problem, errorOf, busy } = useDoorForm<Values>(
    schema,
    ['answer'],
    async (body) => {
      await decide.mutateAsync({ act: 'refuse', body });
      toast({ title: 'The request is refused', description: `${toName(request)} is told, and sees why.` });
      onClose();
    },
    { defaultValues: { answer: '' } },
  );
  useHold(form.formState.isDirty);
  return (
    <Dialog open onOpenChange={(open) => open || onClose()} title="Refuse this request" className="max-w-lg" keep>
      <Form busy={busy} onSubmit={onSubmit} className="flex flex-col gap-4 pt-1">
        <FormProblemAlert problem={problem} />
        <Field
          label="Why not"
          error={errorOf('answer')}
          description={`${toName(request)} reads it. Nothing of their access changes.`}
        >
          <Input {...form.register('answer')} maxLength={500} autoComplete="off" />
        </Field>
        <div className="flex flex-wrap justify-end gap-2 pt-1">
          <Button onClick={onClose}>Cancel</Button>
          <SubmitButton busy={busy}>Refuse the request</SubmitButton>
        </div>
      </Form>
    </Dialog>
  );
}
