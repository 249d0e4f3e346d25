'use client';
import { z } from 'zod';
import { FormProblemAlert } from '#components/door/form-problem.tsx';
import { useDoorForm } from '#components/door/use-door-form.ts';
import { Button } from '#components/ui/button.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Form } from '#components/ui/form/form.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { SubmitButton } from '#components/ui/form/submit-button.tsx';
import { Dialog } from '#components/ui/overlay/dialog.tsx';
import { useHold } from '#lib/client/api/use-draft.ts';
import { useStartView, type View } from '#lib/client/view-as/view.ts';

const schema = z.object({ reason: z.string().trim().min(1, 'Say why').max(500, 'At most 500 characters') });
type Values = z.output<typeof schema>;

export type ViewAsProps = { projectId: string; membershipId: string; name: string; onClose: () => void };

/** Why somebody looks with a member’s eyes: the member reads it. */
export function StartDialog({
  projectId,
  membershipId,
  name,
  onClose,
  onStarted,
}: ViewAsProps & { onStarted: (view: View) => void }) {
  const start = useStartView(projectId, membershipId);
  const { form, onSubmit, problem, errorOf, busy } = useDoorForm<Values>(
    schema,
    ['reason'],
    async (body) => onStarted(await start.mutateAsync(body)),
    { defaultValues: { reason: '' } },
  );
  useHold(form.formState.isDirty);
  return (
    <Dialog open onOpenChange={(open) => open || onClose()} title={`View as ${name}`} className="max-w-lg" keep>
      <Form busy={busy} onSubmit={onSubmit} className="flex flex-col gap-4 pt-1">
        <FormProblemAlert problem={problem} />
        <p className="text-muted">
          For ten minutes you see records as {name} sees them, as far as you may see them yourself. You change nothing.
          It is in the audit log, and {name} learns of it.
        </p>
        <Field
          label="Why"
          error={errorOf('reason')}
          description={`${name} reads it on their Account page. Leave out what is about a patient.`}
        >
          <Input {...form.register('reason')} maxLength={500} autoComplete="off" />
        </Field>
        <div className="flex flex-wrap justify-end gap-2 pt-1">
          <Button onClick={onClose}>Cancel</Button>
          <SubmitButton busy={busy}>Start the view</SubmitButton>
        </div>
      </Form>
    </Dialog>
  );
}
