'use client';
import { useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Alert } from '#components/ui/feedback/alert.tsx';
import { toast } from '#components/ui/feedback/toast.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Form } from '#components/ui/form/form.tsx';
import { Select } from '#components/ui/form/select.tsx';
import { SubmitButton } from '#components/ui/form/submit-button.tsx';
import { Toggle } from '#components/ui/form/toggle.tsx';
import { Dialog } from '#components/ui/overlay/dialog.tsx';
import { usePolicies } from '#lib/client/access/policies.ts';
import { ApiError } from '#lib/client/api/api-error.ts';
import { useChangeDomain } from '#lib/client/mail-domains/mail-domains.ts';
import type { DomainJoins, MailDomainRow } from '#lib/protocol/answers/mail-domains.ts';

export type PeopleFormProps = { projectId: string; row: MailDomainRow; onClose: () => void };

const NOBODY = 'nobody';
const JOIN = [
  { value: NOBODY, label: 'Stays outside: people are invited' },
  { value: 'Practitioner', label: 'Becomes a member, as a practitioner' },
  { value: 'Patient', label: 'Becomes a member, as a patient' },
];

/** How the people of a domain come in, and as what those become members whom only their provider knows. */
export function PeopleForm({ projectId, row, onClose }: PeopleFormProps) {
  const policies = usePolicies(projectId);
  const change = useChangeDomain(projectId);
  const [enforced, setEnforced] = useState(row.enforced);
  const [as, setAs] = useState<string>(row.joins?.profileType ?? NOBODY);
  const [policy, setPolicy] = useState(row.joins?.accessPolicy.reference ?? '');
  const [problem, setProblem] = useState<string>();
  const [tried, setTried] = useState(false);
  const isUnfinished = as !== NOBODY && policy === '';

  async function save() {
    setProblem(undefined);
    setTried(true);
    if (isUnfinished) return;
    const joins =
      as === NOBODY ? null : { profileType: as as DomainJoins['profileType'], accessPolicy: { reference: policy } };
    try {
      await change.mutateAsync({ domain: row.domain, enforced, joins });
      toast({ title: `What holds for ${row.domain} is saved` });
      onClose();
    } catch (error) {
      setProblem(error instanceof ApiError ? error.message : 'This failed');
    }
  }

  const choices = (policies.data ?? []).map(({ reference, name }) => ({ value: reference, label: name }));
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={`People of ${row.domain}`}
      description="What holds for everybody with an address of this domain, in this project."
      className="max-w-xl"
    >
      <Form
        busy={change.isPending}
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
        className="flex flex-col gap-4 pt-1"
      >
        {problem ? <Alert tone="danger">{problem}</Alert> : null}
        <Toggle label="Only by the identity provider" checked={enforced} onCheckedChange={setEnforced}>
          No password, passkey or link lets them in, unless it is said otherwise of one member.
        </Toggle>
        <Field label="Whom the provider names and nobody here knows">
          <Select value={as} onValueChange={setAs} options={JOIN} className="w-full" />
        </Field>
        {as === NOBODY ? null : (
          <Field
            label="With the access policy"
            error={tried && isUnfinished ? 'Choose what they may see' : undefined}
            description="Nobody becomes an administrator like this, and nobody comes back who was removed or locked out."
          >
            <Select
              value={policy}
              onValueChange={setPolicy}
              options={[{ value: '', label: policies.isPending ? 'Loading policies…' : 'Choose a policy' }, ...choices]}
              className="w-full"
            />
          </Field>
        )}
        <div className="flex flex-wrap justify-end gap-2 pt-1">
          <Button onClick={onClose}>Cancel</Button>
          <SubmitButton busy={change.isPending}>Save people</SubmitButton>
        </div>
      </Form>
    </Dialog>
  );
}
