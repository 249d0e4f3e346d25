'use client';
import { FormProblemAlert } from '#components/door/form-problem.tsx';
import { Button } from '#components/ui/button.tsx';
import { AsCode } from '#components/ui/display/as-code.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { FieldError } from '#components/ui/form/field-error.tsx';
import { Form } from '#components/ui/form/form.tsx';
import { Input } from '#components/ui/form/input.tsx';
import { Select } from '#components/ui/form/select.tsx';
import { Toggle } from '#components/ui/form/toggle.tsx';
import { usePolicyRequired } from '#lib/client/frame/policy-required.ts';
import { toInviteInput } from '#lib/client/invites/form.ts';
import { AccessRowsField } from './access-rows-field.tsx';
import { InviteMore } from './more.tsx';
import { PolicyPicker } from './policy-picker.tsx';
import { ReferenceField } from './reference-field.tsx';
import { InviteSent } from './sent.tsx';
import type { InviteFormState } from './use-invite-form.ts';

const TYPES = [
  { value: 'Practitioner', label: 'Practitioner' },
  { value: 'Patient', label: 'Patient' },
  { value: 'RelatedPerson', label: 'Related person' },
] as const;

const NONE = 'None chosen: the project’s default for this type, or full access where it has none.';
const NONE_REQUIRED = 'None chosen: the project’s default for this type. Where it has none, the invite is refused.';

export type InviteOneProps = { projectId: string; state: InviteFormState; onClose: () => void };

/** One person: every field of the API, and the same request as code for exactly this form. */
export function InviteOne({ projectId, state, onClose }: InviteOneProps) {
  const { form, values, problem, sent, onSubmit, busy, errorOf, put } = state;
  const isRequired = usePolicyRequired();
  if (sent) return <InviteSent projectId={projectId} sent={sent} onAgain={state.again} onClose={onClose} />;
  return (
    <Form busy={busy} onSubmit={onSubmit} className="flex flex-1 flex-col">
      <div className="flex flex-1 flex-col gap-5 px-6 py-5">
        <FormProblemAlert problem={problem} />
        <Field label="Type" error={errorOf('resourceType')}>
          <Select value={values.resourceType} onValueChange={(type) => put('resourceType', type)} options={TYPES} />
        </Field>
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="First name" error={errorOf('firstName')}>
            <Input autoComplete="off" {...form.register('firstName')} />
          </Field>
          <Field label="Last name" error={errorOf('lastName')}>
            <Input autoComplete="off" {...form.register('lastName')} />
          </Field>
        </div>
        <Field
          label="E-mail"
          error={errorOf('email')}
          description="Their login. Without one, give an external id below."
        >
          <Input type="email" autoComplete="off" spellCheck={false} {...form.register('email')} />
        </Field>
        {values.resourceType === 'RelatedPerson' ? (
          <ReferenceField
            projectId={projectId}
            type="Patient"
            label="Related to"
            description="The patient whose relative or carer this is."
            error={errorOf('patient')}
            value={values.patient}
            onChange={(reference) => put('patient', reference)}
          />
        ) : null}
        <PolicyPicker
          projectId={projectId}
          value={values.policies}
          onChange={(policies) => put('policies', policies)}
          error={errorOf('policies')}
          none={isRequired ? NONE_REQUIRED : NONE}
        />
        <AccessRowsField
          projectId={projectId}
          rows={values.accessRows}
          onChange={(rows) => put('accessRows', rows)}
          errorOf={errorOf}
        />
        <Toggle label="Administrator" checked={values.admin} onCheckedChange={(on) => put('admin', on)}>
          May invite, change and remove people, and change the project.
        </Toggle>
        <Toggle
          label="Must set up two-step sign-in"
          checked={values.mfaRequired}
          onCheckedChange={(on) => put('mfaRequired', on)}
        >
          When they first sign in. For somebody new, or whose login belongs to this project.
        </Toggle>
        {errorOf('mfaRequired') ? <FieldError>{errorOf('mfaRequired')}</FieldError> : null}
        <Toggle
          label="Send the invitation by mail"
          checked={values.sendEmail}
          onCheckedChange={(on) => put('sendEmail', on)}
        >
          With a link to choose a password, good for seven days.
        </Toggle>
        {values.sendEmail ? null : (
          <Toggle label="Show me the link" checked={values.returnLink} onCheckedChange={(on) => put('returnLink', on)}>
            Once, to hand it over yourself.
          </Toggle>
        )}
        <InviteMore projectId={projectId} state={state} />
        <AsCode
          label="This invitation as code"
          call={() => ({ path: `/admin/projects/${projectId}/invite`, body: toInviteInput(values) })}
        />
      </div>
      <footer className="sticky bottom-0 flex justify-end gap-2 border-line border-t bg-raised px-6 py-4">
        <Button
          onClick={() => {
            state.forget();
            onClose();
          }}
        >
          Cancel
        </Button>
        <Button type="submit" variant="primary" busy={busy}>
          {values.sendEmail ? 'Send invitation' : 'Add without mail'}
        </Button>
      </footer>
    </Form>
  );
}
