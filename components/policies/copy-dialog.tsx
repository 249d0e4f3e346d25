'use client';
import { useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Alert } from '#components/ui/feedback/alert.tsx';
import { ErrorState } from '#components/ui/feedback/error-state.tsx';
import { Skeleton, SkeletonRegion } from '#components/ui/feedback/skeleton.tsx';
import { toast } from '#components/ui/feedback/toast.tsx';
import { Field } from '#components/ui/form/field.tsx';
import { Form } from '#components/ui/form/form.tsx';
import { Select } from '#components/ui/form/select.tsx';
import { SubmitButton } from '#components/ui/form/submit-button.tsx';
import { Dialog } from '#components/ui/overlay/dialog.tsx';
import { administeredElsewhere } from '#lib/client/frame/administered-elsewhere.ts';
import { useOwnMemberships } from '#lib/client/frame/memberships.ts';
import { useCopyPolicy } from '#lib/client/policies/policies.ts';
import { ANYWAY, brokenTests } from '#lib/client/policies/policy-tests.ts';

export type CopyDialogProps = { projectId: string; policyId: string; onClose: () => void };

/** What is stored of the policy becomes a new one of another project that one administers. */
export function CopyDialog({ projectId, policyId, onClose }: CopyDialogProps) {
  const memberships = useOwnMemberships(true);
  const copy = useCopyPolicy(projectId, policyId);
  const [chosen, setChosen] = useState<string>();
  const choose = (next: string) => {
    setChosen(next);
    copy.reset();
  };
  const broken = brokenTests(copy.error);
  const options = administeredElsewhere(memberships.data ?? [], projectId);
  const project = chosen ?? options[0]?.value;
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title="Copy to another project"
      description="As it is saved. It is a new policy there, which nobody has until it is given to them. What it is based on must be there under the same name."
    >
      {memberships.error && !memberships.data ? (
        <ErrorState error={memberships.error} what="your projects" onRetry={() => void memberships.refetch()} />
      ) : !memberships.data ? (
        <SkeletonRegion label="Loading your projects" className="flex flex-col gap-4">
          <Skeleton className="w-48" />
        </SkeletonRegion>
      ) : project === undefined ? (
        <p className="text-muted">You administer no other project.</p>
      ) : (
        <Form
          busy={copy.isPending}
          className="flex flex-col gap-4 pt-1"
          onSubmit={async (event) => {
            event.preventDefault();
            const headers = broken ? ANYWAY : undefined;
            const copied = await copy.mutateAsync({ project, headers }).catch(() => undefined);
            if (!copied) return;
            toast({ title: 'The policy is copied' });
            onClose();
          }}
        >
          {copy.error ? <Alert tone="danger">{copy.error.message}</Alert> : null}
          <Field label="Project">
            <Select value={project} options={options} onValueChange={choose} />
          </Field>
          <div className="flex justify-end gap-2 pt-1">
            <Button onClick={onClose}>Cancel</Button>
            <SubmitButton busy={copy.isPending}>{broken ? 'Copy all the same' : 'Copy'}</SubmitButton>
          </div>
        </Form>
      )}
    </Dialog>
  );
}
