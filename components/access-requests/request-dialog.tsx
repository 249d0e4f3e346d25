'use client';
import { useId } from 'react';
import { z } from 'zod';
import { FormProblemAlert } from '#components/door/form-problem.tsx';
import { useDoorForm } from '#components/door/use-door-form.ts';
import { Button } from '#components/ui/button.tsx';
import { Alert } from '#components/ui/feedback/alert.tsx';
import { toast } from '#components/ui/feedback/toast.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Form } from '#components/ui/form/form.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { Select } from '#components/ui/form/select.tsx';
import { SubmitButton } from '#components/ui/form/submit-button.tsx';
import { Dialog } from '#components/ui/overlay/dialog.tsx';
import { useAskAccess } from '#lib/client/access-requests/own-requests.ts';
import { useHold } from '#lib/client/api/use-draft.ts';
import { CHOICES, toVerb } from './facts.ts';

const reason = z.string().trim().min(1, 'Say why').max(500, 'At most 500 characters');
const byDecision = z.object({ resourceType: z.string(), interaction: z.enum(CHOICES), reason });
const byType = byDecision.extend({ resourceType: z.string().trim().min(1, 'Name a type, such as Patient') });
type Values = z.output<typeof byType>;
const FIELDS = ['resourceType', 'interaction', 'reason'] as const;
const NEW: Values = { resourceType: '', interaction: 'read', reason: '' };

const COMMON = ['Patient', 'Observation', 'Encounter', 'Condition', 'MedicationRequest', 'DocumentReference', 'Task'];

export type RequestDialogProps = { decision: string | undefined; isRole: boolean; onClose: () => void };

/** A member asks the administrators of the project: for what they were refused, or for what of which type. */
export function RequestDialog({ decision, isRole, onClose }: RequestDialogProps) {
  const ask = useAskAccess();
  const types = useId();
  const { form, onSubmit, problem, errorOf, busy } = useDoorForm<Values>(
    decision ? byDecision : byType,
    FIELDS,
    async ({ resourceType, interaction, reason }) => {
      const what = decision ? { decision } : { resourceType, interaction };
      const { isNew } = await ask.mutateAsync({ ...what, reason });
      toast(
        isNew
          ? { title: 'Your request is sent', description: 'The answer comes by mail, and stands on your account page.' }
          : { title: 'You asked for this already', description: 'Your earlier request is still open.' },
      );
      onClose();
    },
    { defaultValues: NEW },
  );
  useHold(form.formState.isDirty);
  return (
    <Dialog open onOpenChange={(open) => open || onClose()} title="Request access" className="max-w-lg" keep>
      <Form busy={busy} onSubmit={onSubmit} className="flex flex-col gap-4 pt-1">
        <FormProblemAlert problem={problem} />
        {isRole ? (
          <Alert>
            Pages for administrators come with that role: ask one of them for it. Here you ask for records, and have
            them for a time.
          </Alert>
        ) : null}
        {decision ? (
          <p className="text-muted">
            An administrator sees what you were refused and when, by its id{' '}
            <code className="break-all font-mono text-xs">{decision}</code>, and may open it to you for a time.
          </p>
        ) : (
          <div className="grid gap-4 sm:grid-cols-2">
            <Field label="I need to" error={errorOf('interaction')}>
              <Select
                value={form.watch('interaction')}
                options={CHOICES.map((value) => ({ value, label: toVerb(value) }))}
                onValueChange={(value) => form.setValue('interaction', value, { shouldDirty: true })}
                className="w-full"
              />
            </Field>
            <Field label="Resource type" error={errorOf('resourceType')}>
              <Input
                {...form.register('resourceType')}
                list={types}
                placeholder="Patient"
                autoComplete="off"
                spellCheck={false}
              />
            </Field>
            <datalist id={types}>
              {COMMON.map((type) => (
                <option key={type} value={type} />
              ))}
            </datalist>
          </div>
        )}
        <Field
          label="Why"
          error={errorOf('reason')}
          description="Administrators read it. Leave out what is about a patient."
        >
          <Input {...form.register('reason')} maxLength={500} autoComplete="off" />
        </Field>
        <div className="flex flex-wrap justify-end gap-2 pt-1">
          <Button onClick={onClose}>Cancel</Button>
          <SubmitButton busy={busy}>Send the request</SubmitButton>
        </div>
      </Form>
    </Dialog>
  );
}
