'use client';
import { z } from 'zod';
import { FormProblemAlert } from '#components/door/form-problem.tsx';
import { useDoorForm } from '#components/door/use-door-form.ts';
import { Button } from '#components/ui/button.tsx';
import { Alert } from '#components/ui/feedback/alert.tsx';
import { toast } from '#components/ui/feedback/toast.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Form } from '#components/ui/form/form.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { SubmitButton } from '#components/ui/form/submit-button.tsx';
import { Dialog } from '#components/ui/overlay/dialog.tsx';
import { useHold } from '#lib/client/api/use-draft.ts';
import { useBreakGlass } from '#lib/client/break-glass/own-glass.ts';

const schema = z.object({ reason: z.string().trim().min(1, 'Say why').max(500, 'At most 500 characters') });
type Values = z.output<typeof schema>;

export type GlassDialogProps = { minutes: number; onClose: () => void };

/** A member takes emergency access, and knows before that everybody is told. */
export function GlassDialog({ minutes, onClose }: GlassDialogProps) {
  const smash = useBreakGlass();
  const { form, onSubmit, problem, errorOf, busy } = useDoorForm<Values>(
    schema,
    ['reason'],
    async ({ reason }) => {
      await smash.mutateAsync(reason);
      toast({ title: 'You have emergency access', description: 'The bar at the top says for how long, and ends it.' });
      onClose();
    },
    { defaultValues: { reason: '' } },
  );
  useHold(form.formState.isDirty);
  return (
    <Dialog open onOpenChange={(open) => open || onClose()} title="Emergency access" className="max-w-lg" keep>
      <Form busy={busy} onSubmit={onSubmit} className="flex flex-col gap-4 pt-1">
        <FormProblemAlert problem={problem} />
        <Alert tone="warn">
          For {minutes} minutes you may do what this project opens in an emergency. Its administrators are told now,
          each request is noted, and one of them reviews it afterwards.
        </Alert>
        <Field label="Why" error={errorOf('reason')} description="Administrators read it. It stands in no mail.">
          <Input {...form.register('reason')} maxLength={500} autoComplete="off" />
        </Field>
        <div className="flex flex-wrap justify-end gap-2 pt-1">
          <Button onClick={onClose}>Cancel</Button>
          <SubmitButton variant="danger" busy={busy}>
            Break the glass
          </SubmitButton>
        </div>
      </Form>
    </Dialog>
  );
}
