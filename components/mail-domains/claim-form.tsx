'use client';
import { FormProblemAlert } from '#components/door/form-problem.tsx';
import { useDoorForm } from '#components/door/use-door-form.ts';
import { Button } from '#components/ui/button.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Form } from '#components/ui/form/form.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { SubmitButton } from '#components/ui/form/submit-button.tsx';
import { Dialog } from '#components/ui/overlay/dialog.tsx';
import { useClaimDomain } from '#lib/client/mail-domains/mail-domains.ts';
import { newMailDomain } from '#lib/protocol/mail-domains/requests.ts';

export type ClaimFormProps = { projectId: string; onClaimed: (domain: string) => void; onClose: () => void };

export function ClaimForm({ projectId, onClaimed, onClose }: ClaimFormProps) {
  const claim = useClaimDomain(projectId);
  const { form, onSubmit, problem, errorOf, busy } = useDoorForm<{ domain: string }>(
    newMailDomain,
    ['domain'],
    async ({ domain }) => onClaimed((await claim.mutateAsync({ domain: domain.trim().toLowerCase() })).domain),
    { defaultValues: { domain: '' } },
  );
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title="Add an e-mail domain"
      description="It counts when DNS says that it is yours: the record comes right after this."
    >
      <Form busy={busy} onSubmit={onSubmit} className="flex flex-col gap-4 pt-1">
        <FormProblemAlert problem={problem} />
        <Field label="Domain" error={errorOf('domain')} description="What stands after the @: “hospital.example”.">
          <Input {...form.register('domain')} autoComplete="off" spellCheck={false} autoCapitalize="none" />
        </Field>
        <div className="flex flex-wrap justify-end gap-2 pt-1">
          <Button onClick={onClose}>Cancel</Button>
          <SubmitButton busy={busy}>Add domain</SubmitButton>
        </div>
      </Form>
    </Dialog>
  );
}
