'use client';
import { useRouter } from 'next/navigation';
import { useId } from 'react';
import { z } from 'zod';
import { FormProblemAlert } from '#components/door/form-problem.tsx';
import { useDoorForm } from '#components/door/use-door-form.ts';
import { Button } from '#components/ui/button.tsx';
import { toast } from '#components/ui/feedback/toast.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Form } from '#components/ui/form/form.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { Select } from '#components/ui/form/select.tsx';
import { SubmitButton } from '#components/ui/form/submit-button.tsx';
import { Dialog } from '#components/ui/overlay/dialog.tsx';
import { usePolicies } from '#lib/client/access/policies.ts';
import { useAdmins, useStartReview } from '#lib/client/access-reviews/reviews.ts';
import { useHold } from '#lib/client/api/use-draft.ts';
import { REVIEW_PROFILES } from '#lib/protocol/access-reviews/requests.ts';
import { CheckLine } from './check-line.tsx';
import { KINDS } from './facts.ts';

const schema = z.object({
  name: z.string().trim().min(1, 'Name the review').max(128, 'At most 128 characters'),
  dueOn: z.string().min(1, 'Say until when'),
  profileType: z.enum(['', ...REVIEW_PROFILES]),
  policy: z.string(),
  reviewers: z.array(z.string()).min(1, 'Choose who decides').max(20, 'At most 20'),
});
type Values = z.output<typeof schema>;
const FIELDS = ['name', 'dueOn', 'profileType', 'policy', 'reviewers'] as const;
const NEW: Values = { name: '', dueOn: '', profileType: '', policy: '', reviewers: [] };

/** A new review: of whom, by whom, and until when. Its reviewers are told by mail. */
export function StartDialog({ projectId, onClose }: { projectId: string; onClose: () => void }) {
  const start = useStartReview(projectId);
  const router = useRouter();
  const policies = usePolicies(projectId).data ?? [];
  const admins = useAdmins(projectId);
  const reviewersId = useId();
  const { form, onSubmit, problem, errorOf, busy } = useDoorForm<Values>(
    schema,
    FIELDS,
    async ({ name, dueOn, profileType, policy, reviewers }) => {
      const dueAt = new Date(`${dueOn}T23:59:59`).toISOString();
      const scope = { ...(policy && { policy }), ...(profileType && { profileType }) };
      const { id } = await start.mutateAsync({ name, dueAt, reviewers, ...scope });
      toast({ title: 'The review is started', description: 'Its reviewers are told by mail.' });
      // Gone at once: a second press, while the page comes, would start another.
      onClose();
      router.push(`/p/${projectId}/access-reviews/${id}`);
    },
    { defaultValues: NEW },
  );
  useHold(form.formState.isDirty);
  const { profileType, policy, reviewers } = form.watch();
  const set = <Name extends keyof Values>(name: Name, value: Values[Name]) =>
    form.setValue(name as never, value as never, { shouldDirty: true, shouldValidate: form.formState.isSubmitted });
  const refused = errorOf('reviewers');
  return (
    <Dialog open onOpenChange={(open) => open || onClose()} title="Start a review" className="max-w-lg" keep>
      <Form busy={busy} onSubmit={onSubmit} className="flex flex-col gap-4 pt-1">
        <FormProblemAlert problem={problem} />
        <Field label="Name" error={errorOf('name')} description="As its reviewers know it: “Autumn 2026”.">
          <Input {...form.register('name')} autoComplete="off" />
        </Field>
        <Field label="Due on" error={errorOf('dueOn')} description="Who reviews is reminded three days before.">
          <Input {...form.register('dueOn')} type="date" className="max-w-48" />
        </Field>
        <Field label="Who is reviewed" error={errorOf('profileType')}>
          <Select
            value={profileType}
            options={[
              { value: '' as const, label: 'Everybody who is active' },
              ...REVIEW_PROFILES.map((value) => ({ value, label: KINDS[value] })),
            ]}
            onValueChange={(value) => set('profileType', value)}
            className="w-full"
          />
        </Field>
        <Field label="With the policy" error={errorOf('policy')}>
          <Select
            value={policy}
            options={[
              { value: '', label: 'Any, or none' },
              ...policies.map(({ reference, name }) => ({ value: reference, label: name })),
            ]}
            onValueChange={(value) => set('policy', value)}
            className="w-full"
          />
        </Field>
        <fieldset aria-describedby={refused ? reviewersId : undefined} className="flex flex-col gap-1">
          <legend className="mb-1 font-medium text-sm">Who decides</legend>
          {admins.data?.map(({ id, name }) => (
            <CheckLine
              key={id}
              label={name}
              checked={reviewers.includes(id)}
              onCheckedChange={(on) =>
                set('reviewers', on ? [...reviewers, id] : reviewers.filter((other) => other !== id))
              }
            />
          ))}
          <p className="text-[0.8125rem] text-muted">
            Nobody decides about themselves: of one alone, they stay undecided.
          </p>
          {refused ? (
            <p id={reviewersId} role="alert" className="text-[0.8125rem] text-danger-text">
              {refused}
            </p>
          ) : null}
        </fieldset>
        <div className="flex flex-wrap justify-end gap-2 pt-1">
          <Button onClick={onClose}>Cancel</Button>
          <SubmitButton busy={busy}>Start the review</SubmitButton>
        </div>
      </Form>
    </Dialog>
  );
}
